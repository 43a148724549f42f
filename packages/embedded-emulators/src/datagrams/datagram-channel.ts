import type { DatagramEnd } from './udp-socket.ts'

export interface DatagramChannelOptions {
  readonly local: DatagramEnd
  /** The only sender that is received. Has the address family of `local`. */
  readonly remote: DatagramEnd
  readonly receive: (frame: Uint8Array) => void
}

/** A connected UDP socket. */
export interface DatagramChannel {
  /** @returns false when the frame is lost: the channel is closed, or the operating system did not accept it */
  send(frame: Uint8Array): boolean
  close(): Promise<void>
}

/** Opens the channels of one relay. Rejects with the error of the operating system when a socket can't be opened. */
export type OpenDatagramChannel = (options: DatagramChannelOptions) => Promise<DatagramChannel>
