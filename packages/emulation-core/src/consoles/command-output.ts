/** What a command has printed on a console. */
export interface CommandOutput {
  /**
   * The output as plain text, with `\n` between its lines: without the echo of the command, escape sequences and other
   * control characters than tabs, and without empty lines at its beginning and end. At most 262,144 characters.
   */
  readonly output: string
  /** The line at which the output has ended, without spaces at its end; absent where it has not ended. */
  readonly prompt?: string
  /**
   * Why the run has ended: the prompt came, the time has run out, the instance has stopped, or the signal has aborted.
   * The command itself may continue except after `prompt`.
   */
  readonly ended: 'prompt' | 'timeout' | 'closed' | 'aborted'
  /** Whether output was left out because there was too much of it. */
  readonly truncated: boolean
  /** The time from the typing of the command to the last output that belongs to it. */
  readonly durationSeconds: number
}

/** The most characters of an output. What follows is left out. */
export const MAX_OUTPUT = 262_144
