import type { Nio } from '../src/index.ts'
import {
  type CaptureOptions,
  type Impairments,
  type LinkRelay,
  type Nic,
  nicKey,
  noImpairments,
  Refusal,
} from '../src/ports.ts'

export interface Cable {
  readonly nic: Nic
  nio: Nio
  impairments: Impairments
  up: boolean
  capture: CaptureOptions | undefined
  frames: number
  readonly streams: Set<(frame: Uint8Array) => void>
}

/** Joins UDP NIOs that point at each other, without delay. The host `nowhere.invalid` does not resolve. */
export function fakeRelay() {
  const cables = new Map<string, Cable>()
  const devices = new Map<string, (frame: Uint8Array) => void>()
  const calls: string[] = []

  const carry = (cable: Cable, frame: Uint8Array) => {
    cable.capture?.sink.write(frame)
    for (const stream of cable.streams) stream(frame)
    cable.frames += 1
  }

  const otherEnd = ({ nio }: Cable) =>
    [...cables.values()].find(
      (other) =>
        nio.type === 'udp' &&
        other.nio.type === 'udp' &&
        other.nio.localPort === nio.remotePort &&
        other.nio.remotePort === nio.localPort,
    )

  const relay: LinkRelay = {
    connect: async (nic, nio, { impairments = noImpairments, linkUp = true } = {}) => {
      calls.push(`connect ${nio.type}`)
      if (nio.type === 'udp' && nio.remoteHost === 'nowhere.invalid') {
        throw new Refusal('unavailable', `The host '${nio.remoteHost}' could not be found`)
      }
      if (nio.type !== 'udp' && nio.type !== 'null') throw new Refusal('unsupported', `No ${nio.type} here`)
      const before = cables.get(nicKey(nic))
      const fresh = { nic, capture: before?.capture, frames: 0, streams: new Set<(frame: Uint8Array) => void>() }
      cables.set(nicKey(nic), { ...fresh, nio, impairments, up: linkUp })
      return { ownPort: nio.type === 'udp' && nio.remoteHost === '127.0.0.1' ? nio.remotePort : undefined }
    },
    disconnect: async (nic) => {
      const cable = cables.get(nicKey(nic))
      cables.delete(nicKey(nic))
      await cable?.capture?.sink.close()
    },
    setImpairments: (nic, impairments) => {
      const cable = cables.get(nicKey(nic))
      if (cable) cable.impairments = impairments
    },
    setLinkUp: (nic, up) => {
      const cable = cables.get(nicKey(nic))
      if (cable) cable.up = up
    },
    counters: async (nic) => {
      const frames = cables.get(nicKey(nic))?.frames ?? 0
      return { outgoing: { frames, bytes: 0, dropped: 0 }, incoming: { frames: 0, bytes: 0, dropped: 0 } }
    },
    plug: (nic, receive) => {
      const key = nicKey(nic)
      devices.set(key, receive)
      return {
        send: (frame) => {
          const cable = cables.get(key)
          const other = cable?.up ? otherEnd(cable) : undefined
          if (cable) carry(cable, frame)
          if (!other?.up) return
          carry(other, frame)
          devices.get(nicKey(other.nic))?.(frame)
        },
        unplug: () => void devices.delete(key),
      }
    },
    plugUdp: async () => ({ relayPort: 1, devicePort: 2, unplug: async () => {} }),
    startCapture: async (nic, options) => {
      const cable = cables.get(nicKey(nic))
      if (cable) cable.capture = options
      options.sink.write(Uint8Array.of(0xd4, 0xc3, 0xb2, 0xa1))
    },
    stopCapture: async (nic) => {
      const cable = cables.get(nicKey(nic))
      await cable?.capture?.sink.close()
      if (cable) cable.capture = undefined
    },
    streamCapture: async function* (nic, { signal }) {
      yield Uint8Array.of(0xd4, 0xc3, 0xb2, 0xa1)
      const queue: Uint8Array[] = []
      let wake = () => {}
      const listen = (frame: Uint8Array) => {
        queue.push(frame)
        wake()
      }
      cables.get(nicKey(nic))?.streams.add(listen)
      while (!signal.aborted) {
        const frame = queue.shift()
        if (frame) yield frame
        else
          await new Promise<void>((resolve) => {
            wake = resolve
            signal.addEventListener('abort', () => resolve(), { once: true })
          })
      }
    },
    close: async () => {
      calls.push('close')
      cables.clear()
    },
  }
  return { ...relay, cables, devices, calls }
}
