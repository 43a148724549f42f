import type { ConsoleHub } from './console-hub.ts'
import { type ConsoleText, createConsoleText } from './console-text.ts'

/** Why a wait for a quiet console has ended before it was quiet. */
export type Stop = 'timeout' | 'closed' | 'aborted'

/** A program's place at a console: it types, reads and waits. */
export interface ConsoleTerminal {
  /** Types a text. */
  type(text: string): void
  /** Forgets what was shown, and passes each further line to `add`. */
  read(add: (text: string, hasEnded: boolean) => void): ConsoleText
  /**
   * Waits until no output has come for a time. After each output `patience` returns that time in milliseconds, or
   * `undefined` to wait for more output in any case.
   */
  quiet(patience: () => number | undefined): Promise<Stop | undefined>
  /** Why every wait ends, once that is so. */
  readonly stop: Stop | undefined
  /** The time of the last output, as of `performance.now()`. */
  readonly lastOutput: number
  /** Leaves the console. */
  leave(): void
}

export interface ConsoleTerminalOptions {
  /** The time until every wait ends. */
  readonly timeoutMs: number
  /** Ends every wait. */
  readonly signal?: AbortSignal | undefined
}

/** Attaches to a console. `undefined` where it accepts no more viewers. Earlier output is not read. */
export function openTerminal(
  hub: ConsoleHub,
  { timeoutMs, signal }: ConsoleTerminalOptions,
): ConsoleTerminal | undefined {
  let text = createConsoleText(() => {})
  let isAttached = false
  let stop: Stop | undefined
  let lastOutput = performance.now()
  let wake = () => {}

  const end = (reason: Stop) => {
    stop ??= reason
    wake()
  }
  const input = hub.attach({
    bufferedBytes: 0,
    send: (bytes) => {
      if (!isAttached) return
      lastOutput = performance.now()
      text.push(bytes)
      wake()
    },
    close: () => end('closed'),
  })
  if (!input) return undefined
  isAttached = true
  const deadline = setTimeout(() => end('timeout'), timeoutMs)
  const abort = () => end('aborted')
  signal?.addEventListener('abort', abort, { once: true })
  if (signal?.aborted) abort()
  const encoder = new TextEncoder()

  return {
    type: (typed) => input.write(encoder.encode(typed)),
    read: (add) => {
      text = createConsoleText(add)
      return text
    },
    quiet: (patience) =>
      new Promise((resolve) => {
        let timer: ReturnType<typeof setTimeout> | undefined
        const settle = () => {
          wake = () => {}
          clearTimeout(timer)
          resolve(stop)
        }
        wake = () => {
          clearTimeout(timer)
          if (stop !== undefined) return settle()
          const milliseconds = patience()
          if (milliseconds !== undefined) timer = setTimeout(settle, milliseconds)
        }
        wake()
      }),
    get stop() {
      return stop
    },
    get lastOutput() {
      return lastOutput
    },
    leave: () => {
      clearTimeout(deadline)
      signal?.removeEventListener('abort', abort)
      input.detach()
    },
  }
}
