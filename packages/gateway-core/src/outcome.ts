import { err, type Result, ResultAsync } from 'neverthrow'

/** A result that is synchronous where it can be, so that requests do not wait for a microtask. `await` accepts both. */
export type Outcome<T, E> = Result<T, E> | ResultAsync<T, E>

/** Replaces the error. */
export function mapError<T, E, F>(outcome: Outcome<T, E>, change: (error: E) => F): Outcome<T, F> {
  return outcome instanceof ResultAsync ? outcome.mapErr(change) : outcome.mapErr(change)
}

/** Calls `next` with the value, immediately where the outcome is synchronous. */
export function andThen<T, E, U, F>(outcome: Outcome<T, E>, next: (value: T) => Outcome<U, F>): Outcome<U, E | F> {
  if (outcome instanceof ResultAsync) return outcome.andThen<U, F>(next)
  return outcome.isOk() ? next(outcome.value) : err(outcome.error)
}
