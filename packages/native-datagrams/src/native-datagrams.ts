/**
 * Moves datagrams between UDP sockets and memory, many with one system call. Sockets are named by their file
 * descriptors and must be non-blocking, as those of `node:dgram` are. Then no method blocks. Invalid arguments, such as
 * lengths that exceed a buffer, throw a `TypeError`.
 */
export interface NativeDatagrams {
  /** The most datagrams of one call: 64. */
  readonly size: number
  /** The path of the binary. Another thread loads its own copy from there, by `require`. */
  readonly file: string
  /**
   * Receives the datagrams that wait in the socket (`recvmmsg`).
   *
   * @param descriptor of the socket
   * @param lengths receives the length of each in bytes, at most 65,535; has at least {@link size} elements
   * @returns how many; 0 where no datagram waits or the socket cannot be read
   */
  receive(descriptor: number, lengths: Int32Array): number
  /**
   * Copies the datagrams of the last `receive` into the buffer from the offset on, one after the other. Copies them
   * once. The datagrams of all sockets share one memory: take them before the next `receive`.
   */
  take(into: Uint8Array, offset: number): void
  /**
   * Sends to the peer of a connected socket (`sendmmsg`). Datagrams that the kernel refuses are skipped. Those for
   * which it has no space are dropped.
   *
   * @param frames the datagrams, one after the other from the beginning
   * @param lengths the lengths of the datagrams in bytes, at most 65,535 each
   * @param count how many datagrams to send, at most {@link size}
   * @param segment whether runs of equal lengths may be sent as one datagram that the kernel segments (`UDP_SEGMENT`)
   * @returns how many were accepted; `-accepted - 1` where the kernel does not segment datagrams for this peer
   */
  send(descriptor: number, frames: Uint8Array, lengths: Int32Array, count: number, segment: boolean): number
}
