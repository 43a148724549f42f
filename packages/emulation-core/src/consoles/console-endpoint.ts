/**
 * An instance's side of its console: what the terminal shows and what is typed, as plain bytes. Telnet, several
 * viewers and scrollback are the hub's affair; an emulator whose program speaks telnet strips it
 * (`createTelnetDecoder`).
 */
export interface ConsoleEndpoint {
  /** Typed by a viewer. Ignored once the instance has ended. */
  write(bytes: Uint8Array): void
  /** Set once, by the hub; what was shown before is delivered in the call. */
  onOutput(listener: (bytes: Uint8Array) => void): void
  /**
   * Nothing more is read of what the program prints until {@link resume}, so that it has to wait. Called while viewers
   * don't keep up; where it is absent they are dropped instead.
   */
  pause?(): void
  resume?(): void
  /** A viewer's window, where the program wants to know. */
  resize?(columns: number, rows: number): void
}
