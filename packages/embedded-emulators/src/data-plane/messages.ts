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
  StreamOptions,
} from '@trivium/emulation-core/ports'

/** What the data plane does when it is asked. Numbers identify devices, plugs, captures and streams. */
export interface Calls {
  connect: { args: [nic: Nic, nio: Nio, options: ConnectOptions]; result: Destination }
  disconnect: { args: [nic: Nic]; result: void }
  setImpairments: { args: [nic: Nic, impairments: Impairments]; result: void }
  setLinkUp: { args: [nic: Nic, up: boolean]; result: void }
  counters: { args: [nic: Nic]; result: LinkCounters }
  /** Attaches a device of the caller's thread. */
  plug: { args: [device: number, nic: Nic]; result: void }
  unplug: { args: [device: number]; result: void }
  /** The options have a pair of ports. */
  plugUdp: { args: [plug: number, nic: Nic, options: PlugUdpOptions]; result: void }
  unplugUdp: { args: [plug: number]; result: void }
  startCapture: { args: [capture: number, nic: Nic, options: CaptureChoice]; result: void }
  /** Answers after the last records of the capture. */
  stopCapture: { args: [nic: Nic]; result: void }
  openStream: { args: [stream: number, nic: Nic, options: Omit<StreamOptions, 'signal'>]; result: void }
  /** Answers `undefined` at the end of the stream, and for one that is not open. */
  nextPiece: { args: [stream: number]; result: Uint8Array | undefined }
  /** Ends the stream after what is buffered. */
  endStream: { args: [stream: number]; result: void }
  closeStream: { args: [stream: number]; result: void }
  /** Replaces a switch with the same id. */
  startSwitch: { args: [instance: SwitchInstance, nics: readonly NicAddress[]]; result: void }
  stopSwitch: { args: [id: InstanceId]; result: void }
  updateSwitch: { args: [id: InstanceId, update: SwitchUpdate]; result: void }
  nicChanged: { args: [id: InstanceId, nic: NicAddress, state: NicState]; result: void }
  macTable: { args: [id: InstanceId]; result: readonly MacTableEntry[] }
  clearMacTable: { args: [id: InstanceId]; result: void }
  close: { args: []; result: void }
}

export type CallName = keyof Calls
export type CaptureChoice = Pick<CaptureOptions, 'linkType' | 'direction'>
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
