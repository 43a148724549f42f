/**
 * Moves datagrams between UDP sockets and memory, many with one system call. `@trivium/native-datagrams` implements it on
 * Linux, and a host passes it to the link relay.
 */
export interface DatagramBatches {
  /** Datagrams of one call, at most. */
  readonly size: number
  /**
   * The path of the module that has these methods, from which a worker loads its own copy by `require`.
   *
   * @default none, so that frames stay on the main thread
   */
  readonly file?: string
  /**
   * Receives what waits in the socket, without waiting for more.
   *
   * @param lengths receives the length of each; has {@link size} elements
   * @returns the number of datagrams; 0 when none waits or the socket can't be read
   */
  receive(descriptor: number, lengths: Int32Array): number
  /** Copies the datagrams of the last call into the buffer, one after the other from the offset on. At most once. */
  take(into: Uint8Array, offset: number): void
  /**
   * Sends to the socket's peer. Skips datagrams that are refused, and drops those for which there is no room.
   *
   * @param frames contains them one after the other from its beginning on
   * @param lengths of the first `count` of them, at most {@link size}
   * @param segment whether a run of equal lengths can be sent as one datagram that the operating system splits
   * @returns the number accepted, or `-accepted - 1` where the operating system can't split datagrams for this peer
   */
  send(descriptor: number, frames: Uint8Array, lengths: Int32Array, count: number, segment: boolean): number
}
