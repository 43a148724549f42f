import type { InstanceId } from '@trivium/emulation-core'
import type { DevicePort, PortAllocator, RunningInstance, UdpPlug, Wiring } from '@trivium/emulation-core/ports'
import { ethernetSwitchEmulator } from '../ethernet-switch/ethernet-switch-emulator.ts'
import type { SwitchEngineOptions } from '../ethernet-switch/switch-engine.ts'
import { type LinkRelayOptions, linkRelay } from '../link-relay/link-relay.ts'
import { type CaptureFeed, createCaptureFeed } from './capture-feed.ts'
import type { Call, CallName, FromDataPlane, Handlers, Post, ToDataPlane } from './messages.ts'
import { createOutbox, deliverFrames } from './outbox.ts'
import { failureOf } from './outcome.ts'

export interface DataPlaneParts extends Pick<LinkRelayOptions, 'batches' | 'foreignAddresses'> {
  readonly switchOptions: SwitchEngineOptions
}

/** Every plug of a process comes with its pair of ports. */
const noPorts: PortAllocator = {
  allocate: async () => undefined,
  claim: async () => 'in-use',
  restore: () => {},
  release: () => {},
  range: () => ({ first: 1, last: 1 }),
}

interface Stream {
  readonly pieces: AsyncIterator<Uint8Array>
  readonly end: AbortController
}

/**
 * Runs the relay and the switches for another thread, or for code of this one that is written for another thread.
 *
 * @returns a function that takes messages
 */
export function serveDataPlane(
  { switchOptions, ...relayOptions }: DataPlaneParts,
  post: Post<FromDataPlane>,
): (messages: readonly ToDataPlane[]) => void {
  const outbox = createOutbox(post)
  const relay = linkRelay({
    ...relayOptions,
    ports: noPorts,
    onSockets: (open) => outbox.push({ type: 'sockets', open }),
  })
  const emulator = ethernetSwitchEmulator(switchOptions)
  const devices = new Map<number, DevicePort>()
  const plugs = new Map<number, UdpPlug>()
  const feeds = new Map<number, CaptureFeed>()
  const streams = new Map<number, Stream>()
  const switches = new Map<InstanceId, RunningInstance<'ethernet-switch'>>()

  const handlers: Handlers = {
    connect: relay.connect,
    disconnect: relay.disconnect,
    setImpairments: async (nic, impairments) => relay.setImpairments(nic, impairments),
    setLinkUp: async (nic, up) => relay.setLinkUp(nic, up),
    counters: relay.counters,
    async plug(device, nic) {
      devices.set(
        device,
        relay.plug(nic, (frame) => outbox.frame(device, frame)),
      )
    },
    async unplug(device) {
      devices.get(device)?.unplug()
      devices.delete(device)
    },
    async plugUdp(plug, nic, options) {
      plugs.set(plug, await relay.plugUdp(nic, options))
    },
    async unplugUdp(plug) {
      const found = plugs.get(plug)
      plugs.delete(plug)
      await found?.unplug()
    },
    async startCapture(capture, nic, options) {
      const feed = createCaptureFeed(capture, outbox, () => feeds.delete(capture))
      feeds.set(capture, feed)
      try {
        await relay.startCapture(nic, { ...options, sink: feed.sink, limitBytes: Number.POSITIVE_INFINITY })
      } catch (error) {
        feeds.delete(capture)
        throw error
      }
    },
    stopCapture: relay.stopCapture,
    async openStream(stream, nic, options) {
      const end = new AbortController()
      const pieces = relay.streamCapture(nic, { ...options, signal: end.signal })[Symbol.asyncIterator]()
      streams.set(stream, { pieces, end })
    },
    async nextPiece(stream) {
      const piece = await streams.get(stream)?.pieces.next()
      return piece === undefined || piece.done === true ? undefined : new Uint8Array(piece.value)
    },
    async endStream(stream) {
      streams.get(stream)?.end.abort()
    },
    async closeStream(stream) {
      const found = streams.get(stream)
      streams.delete(stream)
      found?.end.abort()
      await found?.pieces.return?.()
    },
    async startSwitch(instance, nics) {
      const nic = (address: (typeof nics)[number]) => ({ instanceId: instance.id, ...address })
      const wiring: Wiring = {
        nics,
        state: () => ({ connected: true, linkUp: true }),
        plug: (address, receive) => relay.plug(nic(address), receive),
        plugUdp: (address, options) => relay.plugUdp(nic(address), options),
      }
      await switches.get(instance.id)?.stop()
      switches.set(instance.id, await emulator.start(instance, wiring, { recorded: async () => {} }))
    },
    async stopSwitch(id) {
      const found = switches.get(id)
      switches.delete(id)
      await found?.stop()
    },
    updateSwitch: async (id, update) => switches.get(id)?.update?.(update),
    nicChanged: async (id, nic, state) => switches.get(id)?.nicChanged?.(nic, state),
    macTable: async (id) => (await switches.get(id)?.macTable?.()) ?? [],
    clearMacTable: async (id) => switches.get(id)?.clearMacTable?.(),
    stormDrops: async (id, nic) => switches.get(id)?.stormDrops?.(nic),
    close: relay.close,
  }

  const answer = async <N extends CallName>({ id, name, args }: Call<N>) => {
    try {
      const value = await handlers[name](...args)
      outbox.push({ type: 'answer', id, outcome: { type: 'done', value } })
    } catch (error) {
      outbox.push({ type: 'answer', id, outcome: failureOf(error) })
    }
  }

  outbox.push({ type: 'ready' })
  return (messages) => {
    for (const message of messages) {
      if (message.type === 'call') void answer(message)
      else if (message.type === 'taken') outbox.taken(message)
      else if (message.type === 'kept') feeds.get(message.capture)?.kept(message.bytes)
      else outbox.push(deliverFrames(message, (device, frame) => devices.get(device)?.send(frame)))
    }
  }
}
