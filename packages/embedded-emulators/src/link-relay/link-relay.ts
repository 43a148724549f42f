import {
  type DeviceCarrier,
  type LinkCounters,
  type LinkRelay,
  type Nic,
  nicKey,
  noImpairments,
  type PortAllocator,
} from '@trivium/emulation-core/ports'
import { alreadyCaptured, notConnected } from '../captures/capture-refusals.ts'
import { createCaptureStream } from '../captures/capture-stream.ts'
import { type CaptureWriter, createCaptureWriter } from '../captures/capture-writer.ts'
import { filtered } from '../captures/frame-filter.ts'
import { type Clock, systemClock } from '../clock/clock.ts'
import { createDatagramChannels } from '../datagrams/create-datagram-channels.ts'
import type { DatagramBatches } from '../datagrams/datagram-batches.ts'
import { createCabling } from './cabling.ts'
import { createConnection } from './connection.ts'
import { createDeliveryQueue } from './delivery-queue.ts'
import { unsupportedNio, withDevices } from './device-links.ts'
import {
  type Connection,
  closeLanes,
  createNicEntry,
  endCapture,
  endCaptures,
  type NicEntry,
  setImpairments,
  setLinkUp,
} from './nic-entry.ts'
import { allocatePair } from './port-pair.ts'
import { type LookUp, resolveRemote, systemLookUp } from './remote-address.ts'
import { openUdpPlug } from './udp-plug.ts'

/** The dependencies of a link relay. Only `ports` is required. */
export interface LinkRelayOptions {
  /** Allocates the pairs of ports to which processes are attached. */
  readonly ports: PortAllocator
  /** Times delays, bandwidths and captured frames; another one for tests. @default the clock of the system */
  readonly clock?: Clock
  /** Random numbers from 0 to below 1 for impairments. @default Math.random */
  readonly random?: () => number
  /**
   * Returns the first address of a remote host by its name. Where it rejects, `connect` rejects with a `Refusal`.
   *
   * @default the resolver of the operating system, IPv4 first
   */
  readonly lookUp?: LookUp
  /**
   * Moves frames of foreign ends in batches: the result of `loadNativeDatagrams` of `@trivium/native-datagrams`, which
   * is `undefined` where it can't run.
   *
   * @default one system call for each frame
   */
  readonly batches?: DatagramBatches | undefined
  /**
   * Carries NIOs of the types `tap`, `generic-ethernet` and `linux-ethernet`: `socatDeviceCarrier` of
   * `@trivium/process-emulators/devices`.
   *
   * @default those NIOs are refused
   */
  readonly devices?: DeviceCarrier | undefined
  /** Called with the number of open sockets when it changes. @default not reported */
  readonly onSockets?: (open: number) => void
  /**
   * The addresses on which sockets listen whose other end is another host. All others listen on the loopback address.
   * Sockets receive datagrams from their other end only.
   *
   * @default every address
   */
  readonly foreignAddresses?: {
    /** The address of sockets for IPv4. `0.0.0.0` is every address. */
    readonly ipv4: string
    /** The address of sockets for IPv6. `::` is every address. */
    readonly ipv6: string
  }
}

const zeroCounters = { frames: 0, bytes: 0, dropped: 0 } as const

/**
 * Creates the relay between all NICs. It opens no socket until a NIC with a foreign end is connected. It carries NIOs
 * of the types `udp` and `null`, with `devices` also those of the host, and rejects others with an `unsupported` refusal. A direction holds at most 64 MiB or
 * 262,144 delayed frames. Its timers do not keep the process alive.
 *
 * @example
 * ```ts
 * import { createPortAllocator } from '@trivium/emulation-core'
 * import { linkRelay, portProbe } from '@trivium/embedded-emulators'
 *
 * const ports = createPortAllocator({ isFree: portProbe() })
 * const relay = linkRelay({ ports })
 * ```
 */
export function linkRelay({
  ports,
  clock = systemClock,
  random = Math.random,
  lookUp = systemLookUp,
  batches,
  devices,
  onSockets,
  foreignAddresses = { ipv4: '0.0.0.0', ipv6: '::' },
}: LinkRelayOptions): LinkRelay {
  const entries = new Map<string, NicEntry>()
  const openChannel = createDatagramChannels({ batches, onSockets })
  const deliveries = createDeliveryQueue()
  const cabling = createCabling({ openChannel, foreignAddresses })
  let tail: Promise<unknown> = Promise.resolve()

  const runInSequence = <T>(task: () => Promise<T>): Promise<T> => {
    const run = tail.then(task)
    tail = run.catch(() => {})
    return run
  }

  const entryOf = (nic: Nic): NicEntry => {
    const key = nicKey(nic)
    const existing = entries.get(key)
    if (existing !== undefined) return existing
    const created = createNicEntry()
    entries.set(key, created)
    return created
  }

  const removeIfUnused = (nic: Nic) => {
    const entry = entries.get(nicKey(nic))
    if (entry?.connection === undefined && entry?.device === undefined) entries.delete(nicKey(nic))
  }

  const connectionOf = (nic: Nic): Connection | undefined => entries.get(nicKey(nic))?.connection

  const replaceConnection = async (previous: Connection | undefined, next: Connection) => {
    if (previous?.udp?.nio.localPort !== next.udp?.nio.localPort || previous === undefined) {
      await cabling.add(next)
      if (previous !== undefined) await cabling.remove(previous)
      return
    }
    await cabling.remove(previous)
    try {
      await cabling.add(next)
    } catch (error) {
      await cabling.add(previous)
      throw error
    }
  }

  const relay: LinkRelay = {
    async connect(nic, nio, { impairments = noImpairments, linkUp = true } = {}) {
      if (nio.type !== 'udp' && nio.type !== 'null') {
        throw unsupportedNio(nio)
      }
      const remote = nio.type === 'udp' ? await resolveRemote(nio.remoteHost, lookUp) : undefined
      await runInSequence(async () => {
        const entry = entryOf(nic)
        const previous = entry.connection
        const connection = createConnection({ entry, nio, remote, clock, random, deliveries })
        setImpairments(connection, impairments)
        setLinkUp(connection, linkUp)
        try {
          await replaceConnection(previous, connection)
        } catch (error) {
          removeIfUnused(nic)
          throw error
        }
        entry.connection = connection
        entry.taps.attach(connection.outgoing, connection.incoming)
        if (previous !== undefined) closeLanes(previous)
      })
      return { ownPort: nio.type === 'udp' && remote?.own ? nio.remotePort : undefined }
    },

    disconnect: (nic) =>
      runInSequence(async () => {
        const entry = entries.get(nicKey(nic))
        if (entry?.connection === undefined) return
        const { connection } = entry
        entry.connection = undefined
        removeIfUnused(nic)
        closeLanes(connection)
        await cabling.remove(connection)
        await endCaptures(entry)
      }),

    setImpairments(nic, impairments) {
      const connection = connectionOf(nic)
      if (connection !== undefined) setImpairments(connection, impairments)
    },

    setLinkUp(nic, up) {
      const connection = connectionOf(nic)
      if (connection !== undefined) setLinkUp(connection, up)
    },

    async counters(nic): Promise<LinkCounters> {
      const connection = connectionOf(nic)
      return connection === undefined
        ? { outgoing: zeroCounters, incoming: zeroCounters }
        : { outgoing: connection.outgoing.counters, incoming: connection.incoming.counters }
    },

    plug(nic, receive) {
      const entry = entryOf(nic)
      void entry.unplug?.()
      entry.device = receive
      entry.unplug = undefined
      let plugged = true
      return {
        send(frame) {
          if (plugged && entry.device === receive) entry.connection?.outgoing.send(frame)
        },
        unplug() {
          plugged = false
          if (entry.device !== receive) return
          entry.device = undefined
          removeIfUnused(nic)
        },
      }
    },

    async plugUdp(nic, { deviceAddress, pair } = {}) {
      const plug = await openUdpPlug({
        deviceAddress,
        pair: pair === undefined ? await allocatePair(ports) : { ...pair, release: () => {} },
        openChannel,
        receive: (frame) => entries.get(nicKey(nic))?.connection?.outgoing.send(frame),
      })
      const entry = entryOf(nic)
      void entry.unplug?.()
      entry.device = plug.send
      const unplug = async () => {
        if (entry.device === plug.send) {
          entry.device = undefined
          entry.unplug = undefined
          removeIfUnused(nic)
        }
        await plug.close()
      }
      entry.unplug = unplug
      return { relayPort: plug.relayPort, devicePort: plug.devicePort, unplug }
    },

    async startCapture(nic, options) {
      const entry = entries.get(nicKey(nic))
      if (entry?.connection === undefined) throw notConnected()
      if (entry.capture !== undefined) throw alreadyCaptured(nic)
      // A filter that is refused must leave nothing.
      let writer: CaptureWriter | undefined
      const watch = filtered(options.filter, (frame) => writer?.frame(frame))
      writer = createCaptureWriter(options, clock.now)
      entry.capture = { writer, remove: entry.taps.add(options.direction, watch) }
    },

    async stopCapture(nic) {
      const entry = entries.get(nicKey(nic))
      if (entry !== undefined) await endCapture(entry)
    },

    async *streamCapture(nic, options) {
      const entry = entries.get(nicKey(nic))
      if (entry?.connection === undefined || options.signal.aborted) return
      const stream = createCaptureStream(options, clock.now)
      const remove = entry.taps.add(options.direction, filtered(options.filter, stream.frame))
      entry.streams.add(stream.end)
      options.signal.addEventListener('abort', stream.end)
      try {
        yield* stream.pieces
      } finally {
        options.signal.removeEventListener('abort', stream.end)
        entry.streams.delete(stream.end)
        remove()
      }
    },

    close: () =>
      runInSequence(async () => {
        deliveries.close()
        const all = [...entries.values()]
        entries.clear()
        for (const entry of all) {
          const { connection } = entry
          entry.connection = undefined
          await entry.unplug?.()
          entry.device = undefined
          if (connection === undefined) continue
          closeLanes(connection)
          await cabling.remove(connection)
          await endCaptures(entry)
        }
      }),
  }
  return withDevices(relay, { ports, devices })
}
