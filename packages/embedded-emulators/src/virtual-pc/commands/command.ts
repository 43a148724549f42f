import type { Pc } from '../pc.ts'

/** One word of the shell. */
export interface Command {
  readonly name: string
  /** Behind the name in the list of commands. */
  readonly parameters: string
  readonly summary: string
  /** What `<name> ?` explains beyond the summary. */
  readonly details?: readonly string[]
  /** Rejects for faults only: what the user did wrong is printed. */
  readonly run: (call: CommandCall) => Promise<void> | void
}

export interface CommandCall {
  readonly words: readonly string[]
  /** What stands behind the command, as it was typed. */
  readonly text: string
  readonly pc: Pc
  readonly terminal: CommandTerminal
  /** Ctrl-C. */
  readonly signal: AbortSignal
}

interface CommandTerminal {
  readonly line: (text: string) => void
  readonly write: (text: string) => void
  /** Resolves when a key is pressed, or the command is interrupted. */
  readonly key: () => Promise<void>
}
