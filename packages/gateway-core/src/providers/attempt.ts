import type { CallLifetime } from './call-lifetime.ts'
import { ProviderFailure } from './provider-error.ts'

export interface AttemptOptions<Answer> {
  /** Ends the attempt, even where the provider ignores its signal. */
  readonly lifetime: CallLifetime
  /** The time until the answer must start. */
  readonly firstByteMs: number | undefined
  readonly send: (signal: AbortSignal, abort: () => void) => Promise<Answer>
}

/** Calls an upstream once. */
export const attempt = <Answer>(options: AttemptOptions<Answer>): Promise<Answer> =>
  new Promise((resolve, reject) => begin(options, resolve, reject))

function begin<Answer>(
  { lifetime, firstByteMs, send }: AttemptOptions<Answer>,
  resolve: (answer: Answer) => void,
  reject: (failure: unknown) => void,
): void {
  if (lifetime.ended) {
    reject(lifetime.failureOf(lifetime.ended))
    return
  }
  const controller = new AbortController()
  const fail = (failure: ProviderFailure) => {
    clearTimeout(timer)
    reject(failure)
    controller.abort(failure)
  }
  const timer = firstByteMs === undefined ? undefined : setTimeout(() => fail(firstByteTimeout()), firstByteMs)
  lifetime.onInterrupt = (end) => fail(lifetime.failureOf(end))
  send(controller.signal, () => controller.abort()).then(
    (answer) => {
      clearTimeout(timer)
      resolve(answer)
    },
    (failure) => {
      clearTimeout(timer)
      reject(failure)
    },
  )
}

const firstByteTimeout = () =>
  new ProviderFailure({
    type: 'timed-out',
    phase: 'first-byte',
    message: 'The upstream took too long to start its answer.',
  })
