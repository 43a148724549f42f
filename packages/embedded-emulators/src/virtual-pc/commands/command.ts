import type { Pc } from '../pc.ts'

/** A command of the shell. */
export interface Command {
  readonly name: string
  /** Shown after the name in the list of commands. */
  readonly parameters: string
  readonly summary: string
  /** Lines that `<name> ?` prints after the summary. */
  readonly details?: readonly string[]
  /** Rejects for faults only. Errors of the user are printed. */
  readonly run: (call: CommandCall) => Promise<void> | void
}

export interface CommandCall {
  readonly words: readonly string[]
  /** The text after the command, as it was typed. */
  readonly text: string
  readonly pc: Pc
  readonly terminal: CommandTerminal
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
}

interface CommandTerminal {
  readonly line: (text: string) => void
  readonly write: (text: string) => void
  /** Resolves when a key is pressed, or the command is interrupted. */
  readonly key: () => Promise<void>
}
