import { err, type Result, ResultAsync } from 'neverthrow'

/** At hand where nobody had to be asked, so that the path of requests waits for nothing. `await` takes both. */
export type Outcome<T, E> = Result<T, E> | ResultAsync<T, E>

/** Goes on at once with what is at hand, and later with what is not. */
export function andThen<T, E, U, F>(outcome: Outcome<T, E>, next: (value: T) => Outcome<U, F>): Outcome<U, E | F> {
  if (outcome instanceof ResultAsync) return outcome.andThen<U, F>(next)
  return outcome.isOk() ? next(outcome.value) : err(outcome.error)
}
