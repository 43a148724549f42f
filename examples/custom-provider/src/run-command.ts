import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { ProviderFailure } from '@trivium/gateway-core/ports'

/** A program with its arguments; no shell reads them. */
export type Command = readonly [program: string, ...args: string[]]

/**
 * Settles once the program runs, with what it writes piece by piece. It has answered well when it ends with 0; leaving
 * the iteration early, or aborting, ends it. What it says on its standard error goes to the host's.
 */
export async function runCommand(
  [program, ...args]: Command,
  input: string,
  signal: AbortSignal,
): Promise<AsyncIterable<string>> {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'], signal })
  const ended = once(child, 'close')
  ended.catch(() => undefined)
  try {
    await once(child, 'spawn')
  } catch (cause) {
    throw signal.aborted ? cancelled(cause) : absent(cause)
  }
  // One that does not read its input to the end may answer all the same.
  child.stdin.on('error', () => undefined).end(input)
  return answerOf(child, ended, signal)
}

async function* answerOf(
  child: ChildProcessByStdio<Writable, Readable, null>,
  ended: Promise<unknown[]>,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let beforeFirstByte = true
  try {
    for await (const piece of child.stdout.setEncoding('utf8')) {
      yield piece
      beforeFirstByte = false
    }
    const [code] = await ended
    if (code !== 0)
      throw new ProviderFailure({ type: 'refused', status: 502, message: 'The model failed.', beforeFirstByte })
  } catch (error) {
    throw signal.aborted ? cancelled(error) : error
  } finally {
    child.kill()
  }
}

const cancelled = (cause: unknown) =>
  new ProviderFailure({ type: 'cancelled', message: 'The request was cancelled.' }, { cause })

const absent = (cause: unknown) =>
  new ProviderFailure({ type: 'unreachable', message: 'The model is not installed.', retryable: false }, { cause })
