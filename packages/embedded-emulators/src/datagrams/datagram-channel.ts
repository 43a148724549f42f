import type { DatagramEnd } from './udp-socket.ts'

export interface DatagramChannelOptions {
  readonly local: DatagramEnd
  /** Datagrams from anyone else are not received. Of the family of `local`. */
  readonly remote: DatagramEnd
  readonly receive: (frame: Uint8Array) => void
}

/** A connected UDP socket. */
export interface DatagramChannel {
  /** @returns false where it is lost for certain: the channel is closed, or the operating system did not take it */
  send(frame: Uint8Array): boolean
  close(): Promise<void>
}

/** Opens the channels of one relay. Rejects with the error of the operating system where a socket can't be made. */
export type OpenDatagramChannel = (options: DatagramChannelOptions) => Promise<DatagramChannel>
