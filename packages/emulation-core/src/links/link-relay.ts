import type { CaptureDirection, CaptureLimit, CaptureSink } from '../captures/capture.ts'
import type { Impairments } from './impairments.ts'
import type { Nic } from './nic.ts'
import type { Nio } from './nio.ts'

/**
 * What lies between every NIC and the network. A NIC has two sides that come and go on their own: the network's
 * ({@link connect}) for as long as the NIC is cabled, the device's ({@link plug}, {@link plugUdp}) for as long as its
 * instance runs. Frames go nowhere while a side is missing or the link is down.
 *
 * Frames are immutable from the moment they are handed over: who must change one makes a copy, and anyone may keep a
 * reference. Frames under 14 bytes and over 65,535 are dropped. Impairments, link state and captures hold for the
 * connection and survive restarts of the instance; {@link disconnect} ends them.
 *
 * Rejects with a `Refusal` for what the caller may be told: a host that does not resolve, a port that can't be bound,
 * a type of NIO that this relay can't serve.
 */
export interface LinkRelay {
  /**
   * Cables the NIC. Two UDP NIOs of this relay that point at each other are joined in memory; a socket is open only
   * while the other end is foreign. Replaces what was connected before, a capture goes on; where it rejects, that stays.
   */
  connect(nic: Nic, nio: Nio, options?: ConnectOptions): Promise<void>
  /** Ends the connection, and a capture on it once its bytes are written. Nothing happens where there is none. */
  disconnect(nic: Nic): Promise<void>
  /** From now on: frames that wait for a delay keep it. */
  setImpairments(nic: Nic, impairments: Impairments): void
  setLinkUp(nic: Nic, up: boolean): void
  /** Since the connection was made; all zero where there is none. */
  counters(nic: Nic): LinkCounters

  /**
   * Puts a device of this process on the NIC; it replaces any other device there.
   *
   * @param receive is called with every frame for the device, never during a call of `send` from the same device
   */
  plug(nic: Nic, receive: (frame: Uint8Array) => void): DevicePort
  /** Puts a process on the NIC, over a fixed pair of loopback UDP ports that lives until `unplug`. */
  plugUdp(nic: Nic, options?: PlugUdpOptions): Promise<UdpPlug>

  /**
   * Writes a pcap file to the sink: header first, every frame as it passes, impairments applied. At most one a NIC.
   * Ends by itself once `limitBytes` are written, or `claim` refuses more. Requires a connection.
   */
  startCapture(nic: Nic, options: CaptureOptions): Promise<void>
  /** Resolves when everything is in the sink and the sink is closed. Nothing happens where there is none. */
  stopCapture(nic: Nic): Promise<void>
  /**
   * The same bytes as a stream, header included, beside any capture. Ends when the signal aborts or the NIC is
   * disconnected. A reader that falls `limitBytes` behind (default 4 MiB) misses whole frames.
   */
  streamCapture(nic: Nic, options: StreamOptions): AsyncIterable<Uint8Array>

  /** Ends every connection, plug and capture. */
  close(): Promise<void>
}

/** How a cable starts. */
export interface ConnectOptions {
  /** @default a perfect link */
  readonly impairments?: Impairments
  /** @default true */
  readonly linkUp?: boolean
}

/** The device's end of a plugged NIC, for emulators in this process. */
export interface DevicePort {
  /** Ignored once unplugged. */
  send(frame: Uint8Array): void
  unplug(): void
}

/** How a device of another process is attached. */
export interface PlugUdpOptions {
  /**
   * The loopback address that the device listens on. One that no one can guess keeps frames of web pages from a device
   * that takes them from every sender.
   * @default '127.0.0.1'
   */
  readonly deviceAddress?: string
}

/** The UDP pair that attaches a device of another process, the relay's on 127.0.0.1. */
export interface UdpPlug {
  /** Where the device sends its frames to. */
  readonly relayPort: number
  /** Where the device must listen, on the address that was asked for. It was free when the plug was made, and the relay opens nothing on it. */
  readonly devicePort: number
  unplug(): Promise<void>
}

/** What is recorded of a NIC, and where it goes. */
export interface CaptureOptions {
  /** libpcap's LINKTYPE number. */
  readonly linkType: number
  readonly direction: CaptureDirection
  readonly sink: CaptureSink
  /** The most bytes that the sink gets, headers included. */
  readonly limitBytes: number
  /**
   * Asked with the size of each piece after the header before the sink gets it; `false` ends the capture.
   * @default always `true`
   */
  readonly claim?: (bytes: number) => boolean
  /**
   * Called where a limit ended it, once: `limitBytes` is the capture's, `claim` the project's.
   * {@link LinkRelay.stopCapture} then still resolves or rejects as ever.
   */
  readonly ended?: (limit: CaptureLimit) => void
}

/** What a live capture sends. */
export interface StreamOptions {
  /** libpcap's LINKTYPE number. */
  readonly linkType: number
  readonly direction: CaptureDirection
  /** Ends the stream. */
  readonly signal: AbortSignal
  /** The most bytes that are sent. @default no bound */
  readonly limitBytes?: number
}

/** What passed a NIC, seen from its instance. */
export interface LinkCounters {
  readonly outgoing: DirectionCounters
  readonly incoming: DirectionCounters
}

/** What passed one way since the NIC was cabled. */
export interface DirectionCounters {
  /** What was passed on. */
  readonly frames: number
  readonly bytes: number
  /** Lost to impairments, a full queue, a link that is down or a side that is missing. */
  readonly dropped: number
}
