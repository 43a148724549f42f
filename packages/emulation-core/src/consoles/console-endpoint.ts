/**
 * An instance's side of its console: its output and input as plain bytes. The hub handles telnet, several viewers and
 * the scrollback. An emulator whose program uses telnet removes the telnet commands
 * (`createTelnetDecoder`).
 */
export interface ConsoleEndpoint {
  /** Passes on input of a viewer. Ignored once the instance has ended. */
  write(bytes: Uint8Array): void
  /** Sets the listener. The hub calls it once; earlier output is delivered during the call. */
  onOutput(listener: (bytes: Uint8Array) => void): void
  /**
   * Stops reading the program's output until {@link resume}, so that the program has to wait. Called while viewers do
   * not keep up. Where it is absent, those viewers are disconnected.
   */
  pause?(): void
  /** Continues to read output after {@link pause}. */
  resume?(): void
  /** Passes on the window size of a viewer. Absent where the program does not use it. */
  resize?(columns: number, rows: number): void
}
