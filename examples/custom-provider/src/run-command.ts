import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { ProviderFailure } from '@trivium/gateway-core/ports'

/** A program with its arguments, which is started without a shell. */
export type Command = readonly [program: string, ...args: string[]]

/**
 * Starts the program, and resolves with the pieces of its output. The iteration rejects where the program does not exit
 * with 0. An early end of the iteration, or an abort, ends the program. Its standard error is the host's.
 *
 * @throws ProviderFailure where the program cannot be started
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
    throw signal.aborted ? cancelled(cause) : notInstalled(cause)
  }
  // A program can answer without reading all of its input.
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

const notInstalled = (cause: unknown) =>
  new ProviderFailure({ type: 'unreachable', message: 'The model is not installed.', retryable: false }, { cause })
