import type { CaptureDirection, CaptureLimit, CaptureSink } from '../captures/capture.ts'
import type { FilterProgram } from '../captures/capture-filter.ts'
import type { Impairments } from './impairments.ts'
import type { Nic } from './nic.ts'
import type { Nio } from './nio.ts'

/**
 * Carries frames between NICs and the network. A NIC has two independent sides: the network's ({@link connect}) while
 * the NIC is connected, and the device's ({@link plug}, {@link plugUdp}) while its instance runs. Frames are dropped
 * while a side is missing or the link is down.
 *
 * A frame must not be changed after it was passed on. A receiver may keep a reference to it, and copies it before a
 * change. Frames under 14 bytes and over 65,535 bytes are dropped. Impairments, link state and captures belong to the
 * connection and survive restarts of the instance. {@link disconnect} ends them.
 *
 * Rejects with a `Refusal` where the client can get the reason: a host that does not resolve, a port that cannot be
 * bound, a type of NIO that this relay does not support.
 *
 * Frames can move in another thread. A call that returns nothing takes effect for the frames that are sent after it.
 */
export interface LinkRelay {
  /**
   * Connects the NIC or replaces its connection, whose capture continues. Two UDP NIOs of this relay that point at each
   * other are joined in memory. A socket is open only while the other end is outside this relay. Where it rejects, the
   * previous connection stays.
   */
  connect(nic: Nic, nio: Nio, options?: ConnectOptions): Promise<Destination>
  /** Ends the connection and its capture, whose bytes are written first. No effect without a connection. */
  disconnect(nic: Nic): Promise<void>
  /** Sets the impairments of later frames. Frames that wait for a delay keep it. No effect without a connection. */
  setImpairments(nic: Nic, impairments: Impairments): void
  /** Sets whether the connection carries frames. No effect without a connection. */
  setLinkUp(nic: Nic, up: boolean): void
  /** Reads the counters since the connection was made; all 0 without a connection. Many can be read at the same time. */
  counters(nic: Nic): Promise<LinkCounters>

  /**
   * Attaches a device of this process to the NIC, and replaces any other device.
   *
   * @param receive is called with every frame for the device, never during a call of `send` by the same device
   */
  plug(nic: Nic, receive: (frame: Uint8Array) => void): DevicePort
  /** Attaches another process to the NIC, over a pair of loopback UDP ports that stays the same until `unplug`. */
  plugUdp(nic: Nic, options?: PlugUdpOptions): Promise<UdpPlug>

  /**
   * Writes a pcap file to the sink: the header, then every frame as it passes, after impairments. At most one for each
   * NIC. Ends by itself when `limitBytes` are written or `claim` returns `false`. Requires a connection.
   */
  startCapture(nic: Nic, options: CaptureOptions): Promise<void>
  /** Ends a capture. Resolves when everything is written and the sink is closed. No effect without a capture. */
  stopCapture(nic: Nic): Promise<void>
  /**
   * Streams a pcap file, independent of any capture. Ends when the signal aborts or the NIC is disconnected. A reader
   * with 4 MiB of waiting bytes misses whole frames. Empty without a connection.
   */
  streamCapture(nic: Nic, options: StreamOptions): AsyncIterable<Uint8Array>

  /** Ends every connection, plug and capture. */
  close(): Promise<void>
}

/** The initial state of a connection. */
export interface ConnectOptions {
  /** The impairments from the first frame on. @default no impairments */
  readonly impairments?: Impairments
  /** Whether the connection carries frames. @default true */
  readonly linkUp?: boolean
}

/** Where a connection sends its frames. */
export interface Destination {
  /**
   * The UDP port of this machine that is the other end, under any of the machine's addresses. It is kept for projects of
   * the same owner. `undefined` where the other end is elsewhere, or not UDP.
   */
  readonly ownPort: number | undefined
}

/** The NIC of a device of this process. */
export interface DevicePort {
  /** Sends a frame, which must not be changed afterwards. Ignored once unplugged. */
  send(frame: Uint8Array): void
  /** Removes the device from the NIC. No effect where another device has replaced it. */
  unplug(): void
}

/** Options for a device of another process. */
export interface PlugUdpOptions {
  /**
   * The loopback address that the device listens on. A random address protects a device that accepts frames from every
   * sender against frames of web pages.
   *
   * @default '127.0.0.1'
   */
  readonly deviceAddress?: string
  /** Two ports that the caller has allocated, and frees itself. @default two that the relay allocates and frees */
  readonly pair?: Pick<UdpPlug, 'relayPort' | 'devicePort'>
}

/** The pair of UDP ports of a device of another process. The relay's is on 127.0.0.1. */
export interface UdpPlug {
  /** The port that the device sends its frames to. */
  readonly relayPort: number
  /**
   * The port that the device must listen on, at `deviceAddress`. It was free when the plug was made; the relay does not
   * open it.
   */
  readonly devicePort: number
  /** Detaches the device and frees both ports. */
  unplug(): Promise<void>
}

/** Options of a capture to a sink. */
export interface CaptureOptions {
  /** libpcap's LINKTYPE number. */
  readonly linkType: number
  /** The frames to capture. */
  readonly direction: CaptureDirection
  /** Accepts the frames to capture. A `Refusal` for a program that does not only read frames. @default every frame */
  readonly filter?: FilterProgram
  /** The destination. It is closed when the capture ends. */
  readonly sink: CaptureSink
  /** The most bytes that are written to the sink, headers included. */
  readonly limitBytes: number
  /**
   * Called with the size of each write after the header, before the write. `false` ends the capture.
   *
   * @default always `true`
   */
  readonly claim?: (bytes: number) => boolean
  /**
   * Called once where a limit ends the capture: `capture` for `limitBytes`, `project` for `claim`.
   * {@link LinkRelay.stopCapture} can still be called, and resolves or rejects as usual.
   */
  readonly ended?: (limit: CaptureLimit) => void
}

/** Options of a capture stream. */
export interface StreamOptions {
  /** libpcap's LINKTYPE number. */
  readonly linkType: number
  readonly direction: CaptureDirection
  /** As in {@link CaptureOptions}. @default every frame */
  readonly filter?: FilterProgram
  /** Ends the stream. */
  readonly signal: AbortSignal
  /** The most bytes that wait for the reader. Further frames are left out whole. @default 4 MiB */
  readonly limitBytes?: number
}

/** Frame counters of a NIC, as its instance sees them. */
export interface LinkCounters {
  readonly outgoing: DirectionCounters
  readonly incoming: DirectionCounters
}

/** Frame counters of one direction since the NIC was connected. */
export interface DirectionCounters {
  /** Frames that were passed on. */
  readonly frames: number
  /** Bytes of those frames. */
  readonly bytes: number
  /** Frames that were lost to impairments, a full queue, a link that is down or a missing side. */
  readonly dropped: number
}
