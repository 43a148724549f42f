import type { IpAddress } from '../../addresses/ip-address.ts'
import type { Clock } from '../../clock/clock.ts'

/** What became of one packet that wants an answer. */
export type ProbeResult =
  | {
      readonly type: 'reply'
      readonly from: IpAddress
      /** Time to live, or hop limit, of the answer. */
      readonly timeToLive: number
      /** The whole IP packet of the answer. */
      readonly bytes: number
      readonly milliseconds: number
    }
  | {
      /** Somebody on the way, or the other end, refused it. */
      readonly type: 'refused'
      readonly from: IpAddress
      readonly timeToLive: number
      readonly icmpType: number
      readonly code: number
      readonly milliseconds: number
    }
  | { readonly type: 'timeout' }
  /** Nobody on the link answers for the host, or for the gateway to it. */
  | { readonly type: 'no-neighbour'; readonly hop: IpAddress }
  | { readonly type: 'no-route' }
  | { readonly type: 'no-address' }
  | { readonly type: 'too-big'; readonly mtu: number }

/** Answers, as they arrive, without the time they took. */
type ProbeAnswer =
  | Omit<Extract<ProbeResult, { type: 'reply' }>, 'milliseconds'>
  | Omit<Extract<ProbeResult, { type: 'refused' }>, 'milliseconds'>
  | Exclude<ProbeResult, { type: 'reply' | 'refused' }>

/** Packets of which an answer is awaited, under a key that both the packet and its answer give. */
export interface Probes {
  /** Never rejects. Once the signal aborts it is a timeout. */
  expect(key: string, timeoutMs: number, signal: AbortSignal): Promise<ProbeResult>
  answer(key: string, answer: ProbeAnswer): void
}

export const echoKey = (identifier: number, sequence: number): string => `echo/${identifier}/${sequence}`

export const udpKey = (sourcePort: number, destinationPort: number): string => `udp/${sourcePort}/${destinationPort}`

export function createProbes(clock: Clock): Probes {
  const expected = new Map<string, (answer: ProbeAnswer) => void>()
  return {
    expect: (key, timeoutMs, signal) =>
      new Promise((resolve) => {
        const begin = clock.now()
        const finish = (answer: ProbeAnswer) => {
          cancel()
          signal.removeEventListener('abort', giveUp)
          expected.delete(key)
          const timed = answer.type === 'reply' || answer.type === 'refused'
          resolve(timed ? { ...answer, milliseconds: clock.now() - begin } : answer)
        }
        const giveUp = () => finish({ type: 'timeout' })
        const cancel = clock.after(timeoutMs, giveUp)
        signal.addEventListener('abort', giveUp, { once: true })
        expected.set(key, finish)
        if (signal.aborted) giveUp()
      }),
    answer: (key, answer) => expected.get(key)?.(answer),
  }
}
