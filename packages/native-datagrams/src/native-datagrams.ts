/**
 * Moves datagrams between UDP sockets and memory, many with one system call. None of the methods waits. What they are
 * given is checked; a `TypeError` is a fault of the caller.
 */
export interface NativeDatagrams {
  /** The most datagrams of one call. */
  readonly size: number
  /**
   * Receives what waits in the socket (`recvmmsg`).
   *
   * @param lengths gets the length of each; has {@link size} places
   * @returns how many; 0 where none waits or the socket can't be read
   */
  receive(descriptor: number, lengths: Int32Array): number
  /** Copies what the last call has received into the buffer from the offset on, one behind the other, once. */
  take(into: Uint8Array, offset: number): void
  /**
   * Sends to the peer of a connected socket (`sendmmsg`). Datagrams that are refused are left out, and what finds no
   * room is dropped.
   *
   * @param frames has them one behind the other from its beginning on
   * @param lengths of the first `count` of them, at most {@link size}
   * @param segment whether runs of equal lengths may leave as one datagram that the kernel cuts (`UDP_SEGMENT`)
   * @returns how many were accepted; as `-accepted - 1` where the kernel can't cut datagrams for this peer
   */
  send(descriptor: number, frames: Uint8Array, lengths: Int32Array, count: number, segment: boolean): number
}
