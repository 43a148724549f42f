import { err, ok, type Result } from 'neverthrow'
import type { ConsoleTerminal, Stop } from './console-terminal.ts'
import { isLogin, isPager } from './prompts.ts'

/** How long a console has to be quiet after a line that can be the prompt. */
export const SETTLE_MS = 100

/** A console without a prompt. */
export interface PromptAbsent {
  /** The last line of the console. */
  readonly shown: string
  /** Absent where the console asks who logs in. */
  readonly stop?: Stop
}

/**
 * Finds the prompt as people do: presses Enter until two presses in turn are answered by the same last line. One line
 * could also be output that pauses. Types `q` where earlier output waits at the end of a page. Waits longer after each
 * further press, so that a machine that starts is not flooded.
 */
export async function findPrompt(terminal: ConsoleTerminal): Promise<Result<string, PromptAbsent>> {
  const text = terminal.read(() => {})
  let candidate: string | undefined
  for (let presses = 1; ; presses += 1) {
    const before = text.lineEnds
    const isAnswered = () => text.lineEnds > before && text.line !== '' && !isPager(text.line)
    const settleMs = SETTLE_MS * 2 ** Math.max(0, presses - 2)
    terminal.type(isPager(text.line) ? 'q' : '\r')
    const stop = await terminal.quiet(() => (isAnswered() ? settleMs : 10 * settleMs))
    const shown = text.line
    if (stop !== undefined) return err({ shown, stop })
    if (isLogin(shown)) return err({ shown })
    if (isAnswered() && shown === candidate) return ok(shown)
    candidate = isAnswered() ? shown : undefined
  }
}
