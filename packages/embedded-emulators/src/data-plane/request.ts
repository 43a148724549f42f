import type { Call, CallName, Calls, Outcome } from './messages.ts'
import { resultOf } from './outcome.ts'

/** A call until it is answered. */
export interface Request {
  readonly call: Call
  /** How many data planes have got it. */
  sent: number
  settle(outcome: Outcome<never>): void
}

export function createRequest<N extends CallName>(
  id: number,
  name: N,
  args: Calls[N]['args'],
): { readonly request: Request; readonly result: Promise<Calls[N]['result']> } {
  const { promise, resolve, reject } = Promise.withResolvers<Calls[N]['result']>()
  const call: Call<N> = { type: 'call', id, name, args }
  const settle = (outcome: Outcome<never>) => {
    try {
      resolve(resultOf(outcome))
    } catch (error) {
      reject(error)
    }
  }
  return { request: { call, sent: 0, settle }, result: promise }
}
