import { err, ok, type Result } from 'neverthrow'
import { type CollectedOutput, collectOutput } from './collected-output.ts'
import type { CommandOutput } from './command-output.ts'
import type { ConsoleTerminal, Stop } from './console-terminal.ts'
import type { ConsoleText } from './console-text.ts'
import { findPrompt, type PromptAbsent, SETTLE_MS } from './find-prompt.ts'
import { isChangedPrompt, isPager } from './prompts.ts'

/** How long a console has to be quiet after a line that only resembles the prompt. */
const DOUBTFUL_MS = 1000

const INTERRUPT = '\x03'

export interface CommandToRun {
  readonly command: string
  /** The text with which the last line ends after the output. @default the prompt that `findPrompt` finds */
  readonly prompt?: string | undefined
  /** Whether Ctrl-C is typed when the time has run out. */
  readonly interrupt: boolean
}

/**
 * Types a command at the prompt of a console, and reads until the prompt comes again. The terminal is left afterwards.
 *
 * The output ends where the console is quiet for a tenth of a second and its last line is the prompt, or ends with the
 * text of the caller. It also ends where the console is quiet for a second and the last line ends with the prompt, after
 * a line that has not ended, or resembles it. A prompt in the middle of output ends nothing.
 */
export async function runCommand(
  terminal: ConsoleTerminal,
  { command, prompt, interrupt }: CommandToRun,
): Promise<Result<CommandOutput, PromptAbsent>> {
  try {
    if (terminal.stop !== undefined) return err({ shown: '', stop: terminal.stop })
    const found: Result<FindEnd, PromptAbsent> =
      prompt === undefined ? (await findPrompt(terminal)).map(foundEnd) : ok(givenEnd(prompt))
    if (found.isErr()) return err(found.error)
    const end = found.value

    const collected = collectOutput(command)
    const text = terminal.read(collected.add)
    const typedAt = performance.now()
    terminal.type(`${command}\r`)
    const isEchoing = () => collected.isEchoing(text.line)
    const stop = await readUntil(terminal, text, () => (isEchoing() ? 'echo' : (end(text.line) ?? 'output')))
    const durationSeconds = Math.max(0, (stop === 'timeout' ? performance.now() : terminal.lastOutput) - typedAt) / 1000
    if (stop === 'timeout' && interrupt) terminal.type(INTERRUPT)
    return ok(stop === undefined ? completed(collected, end(text.line), durationSeconds) : unfinished(stop))

    function unfinished(ended: Stop): CommandOutput {
      if (!isEchoing()) collected.add(text.line, true)
      return { output: collected.text(), ended, truncated: collected.isTruncated, durationSeconds }
    }
  } finally {
    terminal.leave()
  }
}

/** A last line with which an output can end. */
interface End {
  readonly prompt: string
  /** What is before the prompt in the same line. */
  readonly output: string
  readonly quietMs: number
}

type FindEnd = (line: string) => End | undefined

/** The end that the caller names. */
function givenEnd(prompt: string): FindEnd {
  const expected = prompt.trimEnd()
  return (line) => (line.endsWith(expected) ? { prompt: line, output: '', quietMs: SETTLE_MS } : undefined)
}

/** The end where the prompt was found. */
const foundEnd =
  (prompt: string): FindEnd =>
  (line) => {
    if (line === prompt) return { prompt, output: '', quietMs: SETTLE_MS }
    if (line.endsWith(prompt)) return { prompt, output: line.slice(0, -prompt.length), quietMs: DOUBTFUL_MS }
    return isChangedPrompt(line, prompt) ? { prompt: line, output: '', quietMs: DOUBTFUL_MS } : undefined
  }

/** Reads until the console rests at the end of the output. Turns pages meanwhile. */
async function readUntil(
  terminal: ConsoleTerminal,
  text: ConsoleText,
  place: () => End | 'echo' | 'output',
): Promise<Stop | undefined> {
  const quietMs = () => {
    const at = place()
    if (typeof at === 'object') return at.quietMs
    return at === 'output' && isPager(text.line) ? SETTLE_MS : undefined
  }
  for (;;) {
    const stop = await terminal.quiet(quietMs)
    if (stop !== undefined || typeof place() === 'object') return stop
    text.clearLine()
    terminal.type(' ')
  }
}

function completed(collected: CollectedOutput, end: End | undefined, durationSeconds: number): CommandOutput {
  if (end && end.output !== '') collected.add(end.output, true)
  return {
    output: collected.text(),
    ...(end && { prompt: end.prompt }),
    ended: 'prompt',
    truncated: collected.isTruncated,
    durationSeconds,
  }
}
