import {
  type CaptureOptions,
  type LinkRelay,
  type Nic,
  nicKey,
  noImpairments,
  type PortAllocator,
} from '@trivium/emulation-core/ports'
import { alreadyCaptured, notConnected } from '../captures/capture-refusals.ts'
import { createCaptureWriter } from '../captures/capture-writer.ts'
import type { Clock } from '../clock/clock.ts'
import { allocatePair } from '../link-relay/port-pair.ts'
import { attachedTo, type KnownPlane } from './known-plane.ts'
import type { PlaneRuns } from './plane-runs.ts'

export interface PlaneRelayOptions {
  readonly ports: PortAllocator
  readonly known: KnownPlane
  readonly runs: PlaneRuns
  readonly clock: Clock
  readonly onFault: (fault: Error) => void
}

const zeroCounters = { frames: 0, bytes: 0, dropped: 0 } as const

/** Creates the relay whose frames move in a data plane. Devices, sinks of captures and ports are here. */
export function createPlaneRelay({ ports, known, runs, clock, onFault }: PlaneRelayOptions): LinkRelay {
  let lastNumber = 0
  const nextNumber = () => {
    lastNumber += 1
    return lastNumber
  }

  const unplugUdp = async (plug: number) => {
    const found = known.plugs.get(plug)
    if (!known.plugs.delete(plug)) return
    try {
      await runs.callRunning('unplugUdp', plug)
    } finally {
      found?.pair.release()
    }
  }

  const unplug = (device: number) => {
    if (known.devices.delete(device)) runs.notify('unplug', device)
  }

  /** A NIC has one device. Its plug in the data plane is replaced there. */
  const removeDevices = (nic: Nic) => {
    const [device, plug] = [attachedTo(known.devices, nic), attachedTo(known.plugs, nic)]
    if (device !== undefined) unplug(device)
    if (plug !== undefined) unplugUdp(plug).catch(onFault)
  }

  /** Resolves when the records that were captured are written. */
  const endCapture = async (nic: Nic) => {
    const capture = attachedTo(known.captures, nic)
    if (capture === undefined) return
    const found = known.captures.get(capture)
    known.captures.delete(capture)
    await found?.writer.stop()
  }

  const startCapture = async (nic: Nic, options: CaptureOptions) => {
    if (!known.connections.has(nicKey(nic))) throw notConnected()
    if (attachedTo(known.captures, nic) !== undefined) throw alreadyCaptured(nic)
    const capture = nextNumber()
    const { linkType, direction, filter } = options
    const choice = { linkType, direction, ...(filter && { filter }) }
    known.captures.set(capture, { nic, choice, writer: createCaptureWriter(options, clock.now) })
    try {
      await runs.call('startCapture', capture, nic, choice)
    } catch (error) {
      known.captures.delete(capture)
      throw error
    }
  }

  return {
    async connect(nic, nio, { impairments = noImpairments, linkUp = true } = {}) {
      const destination = await runs.call('connect', nic, nio, { impairments, linkUp })
      known.connections.set(nicKey(nic), { nic, nio, impairments, linkUp })
      return destination
    },

    async disconnect(nic) {
      known.connections.delete(nicKey(nic))
      await runs.callRunning('disconnect', nic)
      await endCapture(nic)
    },

    setImpairments(nic, impairments) {
      const connection = known.connections.get(nicKey(nic))
      if (connection === undefined) return
      connection.impairments = impairments
      runs.notify('setImpairments', nic, impairments)
    },

    setLinkUp(nic, up) {
      const connection = known.connections.get(nicKey(nic))
      if (connection === undefined) return
      connection.linkUp = up
      runs.notify('setLinkUp', nic, up)
    },

    counters: async (nic) =>
      (await runs.callRunning('counters', nic)) ?? { outgoing: zeroCounters, incoming: zeroCounters },

    plug(nic, receive) {
      const device = nextNumber()
      removeDevices(nic)
      known.devices.set(device, { nic, receive })
      runs.notify('plug', device, nic)
      return {
        send: (frame) => {
          if (known.devices.has(device)) runs.sendFrame(device, frame)
        },
        unplug: () => unplug(device),
      }
    },

    async plugUdp(nic, { pair: given, ...options } = {}) {
      const pair = given === undefined ? await allocatePair(ports) : { ...given, release: () => {} }
      const { relayPort, devicePort } = pair
      const plug = nextNumber()
      const plugOptions = { ...options, pair: { relayPort, devicePort } }
      try {
        await runs.call('plugUdp', plug, nic, plugOptions)
      } catch (error) {
        pair.release()
        throw error
      }
      removeDevices(nic)
      known.plugs.set(plug, { nic, options: plugOptions, pair })
      return { relayPort, devicePort, unplug: () => unplugUdp(plug) }
    },

    startCapture,

    async stopCapture(nic) {
      if (attachedTo(known.captures, nic) === undefined) return
      await runs.callRunning('stopCapture', nic)
      await endCapture(nic)
    },

    async *streamCapture(nic, { signal, ...options }) {
      if (!known.connections.has(nicKey(nic)) || signal.aborted) return
      const stream = nextNumber()
      const end = () => runs.notify('endStream', stream)
      signal.addEventListener('abort', end)
      try {
        await runs.callRunning('openStream', stream, nic, options)
        while (true) {
          const piece = await runs.callRunning('nextPiece', stream)
          if (piece === undefined) return
          yield piece
        }
      } finally {
        signal.removeEventListener('abort', end)
        runs.notify('closeStream', stream)
      }
    },

    async close() {
      const captures = [...known.captures.values()]
      const plugs = [...known.plugs.values()]
      for (const all of Object.values(known)) all.clear()
      try {
        await runs.callRunning('close')
      } finally {
        await runs.end()
        for (const { pair } of plugs) pair.release()
        await Promise.all(captures.map(({ writer }) => writer.stop()))
      }
    },
  }
}
