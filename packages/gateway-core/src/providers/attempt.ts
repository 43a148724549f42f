import type { CallEnd, CallLifetime } from './call-lifetime.ts'
import { ProviderFailure } from './provider-error.ts'

export interface AttemptOptions<Answer> {
  /** Ends the attempt, even where the provider ignores its signal. */
  readonly lifetime: CallLifetime
  /** The time until the answer must start. */
  readonly firstByteMs: number | undefined
  readonly send: (signal: AbortSignal, abort: () => void) => Promise<Answer>
  /** Called where the lifetime ends while the upstream works on the request. */
  readonly onInterrupted: () => void
}

/** Calls an upstream once. */
export const attempt = <Answer>(options: AttemptOptions<Answer>): Promise<Answer> =>
  new Promise((resolve, reject) => begin(options, resolve, reject))

function begin<Answer>(
  { lifetime, firstByteMs, send, onInterrupted }: AttemptOptions<Answer>,
  resolve: (answer: Answer) => void,
  reject: (failure: unknown) => void,
): void {
  if (lifetime.ended) {
    reject(lifetime.failureOf(lifetime.ended))
    return
  }
  const controller = new AbortController()
  const refuse = (failure: unknown) => {
    clearTimeout(timer)
    lifetime.isAsking = false
    // A later end of the lifetime interrupts no upstream. By then another attempt may have begun.
    if (lifetime.onInterrupt === interrupt) lifetime.onInterrupt = undefined
    reject(failure)
  }
  const fail = (failure: ProviderFailure) => {
    refuse(failure)
    controller.abort(failure)
  }
  const interrupt = (end: CallEnd) => {
    onInterrupted()
    fail(lifetime.failureOf(end))
  }
  const timer = firstByteMs === undefined ? undefined : setTimeout(() => fail(firstByteTimeout()), firstByteMs)
  lifetime.onInterrupt = interrupt
  lifetime.isAsking = true
  let sent: Promise<Answer>
  try {
    sent = send(controller.signal, () => controller.abort())
  } catch (thrown) {
    refuse(thrown)
    return
  }
  sent.then((answer) => {
    clearTimeout(timer)
    lifetime.isAsking = false
    resolve(answer)
  }, refuse)
}

const firstByteTimeout = () =>
  new ProviderFailure({
    type: 'timed-out',
    phase: 'first-byte',
    message: 'The upstream took too long to start its answer.',
  })
