/**
 * Moves datagrams between UDP sockets and memory, many with one system call. `@trivium/native-datagrams` does it on
 * Linux; a host hands it to the link relay.
 */
export interface DatagramBatches {
  /** The most datagrams of one call. */
  readonly size: number
  /**
   * Receives what waits in the socket, without waiting for more.
   *
   * @param lengths gets the length of each; has {@link size} places
   * @returns how many; 0 where none waits or the socket can't be read
   */
  receive(descriptor: number, lengths: Int32Array): number
  /** Copies what the last call has received into the buffer from the offset on, one behind the other, once. */
  take(into: Uint8Array, offset: number): void
  /**
   * Sends to the socket's peer. Datagrams that are refused are left out, and what finds no room is dropped.
   *
   * @param frames has them one behind the other from its beginning on
   * @param lengths of the first `count` of them, at most {@link size}
   * @param segment whether runs of equal lengths may leave as one datagram that the operating system cuts
   * @returns how many were accepted; as `-accepted - 1` where the operating system can't cut datagrams for this peer
   */
  send(descriptor: number, frames: Uint8Array, lengths: Int32Array, count: number, segment: boolean): number
}
