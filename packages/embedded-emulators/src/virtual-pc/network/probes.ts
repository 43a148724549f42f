import type { IpAddress } from '../../addresses/ip-address.ts'
import type { Clock } from '../../clock/clock.ts'

/** The result of one packet that requires an answer. */
export type ProbeResult =
  | {
      readonly type: 'reply'
      readonly from: IpAddress
      /** The time to live, or hop limit, of the answer. */
      readonly timeToLive: number
      /** The length of the IP packet of the answer. */
      readonly bytes: number
      readonly milliseconds: number
    }
  | {
      /** A router on the way, or the destination, refused it. */
      readonly type: 'refused'
      readonly from: IpAddress
      readonly timeToLive: number
      readonly icmpType: number
      readonly code: number
      readonly milliseconds: number
    }
  | { readonly type: 'timeout' }
  /** The host, or the gateway to it, does not answer on the link. */
  | { readonly type: 'no-neighbour'; readonly hop: IpAddress }
  | { readonly type: 'no-route' }
  | { readonly type: 'no-address' }
  | { readonly type: 'too-big'; readonly mtu: number }

/** Answers as they arrive, without their duration. */
type ProbeAnswer =
  | Omit<Extract<ProbeResult, { type: 'reply' }>, 'milliseconds'>
  | Omit<Extract<ProbeResult, { type: 'refused' }>, 'milliseconds'>
  | Exclude<ProbeResult, { type: 'reply' | 'refused' }>

/** Packets that wait for an answer, by a key that the packet and its answer have in common. */
export interface Probes {
  /** Never rejects. Resolves to `timeout` when the signal aborts. */
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
