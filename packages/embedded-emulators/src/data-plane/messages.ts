import type { InstanceId, Nio } from '@trivium/emulation-core'
import type {
  CaptureOptions,
  ConnectOptions,
  Destination,
  EmulatedInstance,
  EthernetSwitchSettings,
  Impairments,
  LinkCounters,
  MacTableEntry,
  Nic,
  NicAddress,
  NicState,
  PlugUdpOptions,
  RefusalOptions,
  RefusalReason,
  StormDrops,
  StreamOptions,
} from '@trivium/emulation-core/ports'

/** What the data plane does when it is asked. Numbers identify devices, plugs, captures and streams. */
export interface Methods {
  connect(nic: Nic, nio: Nio, options: ConnectOptions): Promise<Destination>
  disconnect(nic: Nic): Promise<void>
  setImpairments(nic: Nic, impairments: Impairments): Promise<void>
  setLinkUp(nic: Nic, up: boolean): Promise<void>
  counters(nic: Nic): Promise<LinkCounters>
  /** Attaches a device of the caller's thread. */
  plug(device: number, nic: Nic): Promise<void>
  unplug(device: number): Promise<void>
  /** The options have a pair of ports. */
  plugUdp(plug: number, nic: Nic, options: PlugUdpOptions): Promise<void>
  unplugUdp(plug: number): Promise<void>
  startCapture(capture: number, nic: Nic, options: CaptureChoice): Promise<void>
  /** Answers after the last records of the capture. */
  stopCapture(nic: Nic): Promise<void>
  openStream(stream: number, nic: Nic, options: Omit<StreamOptions, 'signal'>): Promise<void>
  /** Answers `undefined` at the end of the stream, and for one that is not open. */
  nextPiece(stream: number): Promise<Uint8Array | undefined>
  /** Ends the stream after what is buffered. */
  endStream(stream: number): Promise<void>
  closeStream(stream: number): Promise<void>
  /** Replaces a switch with the same id. */
  startSwitch(instance: SwitchInstance, nics: readonly NicAddress[]): Promise<void>
  stopSwitch(id: InstanceId): Promise<void>
  updateSwitch(id: InstanceId, update: SwitchUpdate): Promise<void>
  nicChanged(id: InstanceId, nic: NicAddress, state: NicState): Promise<void>
  macTable(id: InstanceId): Promise<readonly MacTableEntry[]>
  clearMacTable(id: InstanceId): Promise<void>
  /** Answers `undefined` for a switch that does not run. */
  stormDrops(id: InstanceId, nic: NicAddress): Promise<StormDrops | undefined>
  close(): Promise<void>
}

/** The arguments and the result of each method. */
export type Calls = {
  readonly [N in keyof Methods]: {
    readonly args: Parameters<Methods[N]>
    readonly result: Awaited<ReturnType<Methods[N]>>
  }
}

export type CallName = keyof Calls
export type CaptureChoice = Pick<CaptureOptions, 'linkType' | 'direction' | 'filter'>
export type SwitchInstance = EmulatedInstance<'ethernet-switch'>

export interface SwitchUpdate {
  readonly name: string
  readonly settings: EthernetSwitchSettings
}

export interface Call<N extends CallName = CallName> {
  readonly type: 'call'
  readonly id: number
  readonly name: N
  readonly args: Calls[N]['args']
}

export type Handlers = { readonly [N in CallName]: (...args: Calls[N]['args']) => Promise<Calls[N]['result']> }

export interface Answer<V> {
  readonly type: 'answer'
  readonly id: number
  readonly outcome: Outcome<V>
}

/** A refusal loses its class between threads, so it travels as its parts. */
export type Outcome<V> =
  | { readonly type: 'done'; readonly value: V }
  | {
      readonly type: 'refused'
      readonly reason: RefusalReason
      readonly message: string
      readonly options: RefusalOptions
    }
  | { readonly type: 'failed'; readonly error: Error }

/** Frames of devices, one after the other in `bytes`. */
export interface Frames {
  readonly type: 'frames'
  /** The device and the length of each frame. */
  readonly index: Int32Array
  readonly bytes: Uint8Array
}

/** Frames that have reached their receivers, so that as many more can be sent. */
export interface Taken {
  readonly type: 'taken'
  readonly frames: number
  readonly bytes: number
}

/** Records of a capture, one after the other. */
export interface Captured {
  readonly type: 'captured'
  readonly capture: number
  readonly bytes: Uint8Array
}

/** Captured bytes that the sink has got. */
export interface Kept {
  readonly type: 'kept'
  readonly capture: number
  readonly bytes: number
}

export type ToDataPlane = Call | Frames | Taken | Kept

/** @typeParam V `never` where the messages are received: each call knows the type of its own value. */
export type FromDataPlane<V = unknown> =
  | Answer<V>
  | Frames
  | Taken
  | Captured
  /** The first message. */
  | { readonly type: 'ready' }
  | { readonly type: 'sockets'; readonly open: number }

/** Sends messages in order, and gives away the buffers of the list. */
export type Post<M> = (messages: readonly M[], transferred: ArrayBuffer[]) => void
