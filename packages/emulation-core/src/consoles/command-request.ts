import type { Bounds } from '../bounds.ts'

/** A command for a console. */
export interface CommandRequest {
  /** A line without control characters, at most 2,048 characters. Empty to press Enter alone. */
  readonly command: string
  /**
   * The text with which the last line ends after the output, 1 to 200 characters without control characters. Spaces at
   * its end do not count. The command is then typed immediately, such as at a question of a program.
   *
   * @default the prompt that comes when Enter is pressed
   */
  readonly prompt?: string | undefined
  /** How long the call takes at most, including the search for the prompt, from 0.1 to 300. @default 10 */
  readonly timeoutSeconds?: number | undefined
  /** Whether Ctrl-C is typed where the output has not ended in time. @default false */
  readonly interrupt?: boolean | undefined
  /** Ends the call early. A command that was typed continues. */
  readonly signal?: AbortSignal | undefined
}

/** The most characters of a command. */
export const MAX_COMMAND = 2048

/** The most characters of the text after which an output has ended. */
export const MAX_PROMPT = 200

export const timeoutSecondsBounds = [0.1, 300] as const satisfies Bounds
