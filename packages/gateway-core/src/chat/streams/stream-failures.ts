import { errorBodyOf } from '../../providers/error-body.ts'
import { type ProviderError, toProviderError } from '../../providers/provider-error.ts'

/** Encodes the last event of a stream that failed. */
export const errorEvent = (error: ProviderError): string => `data: ${JSON.stringify({ error: errorBodyOf(error) })}\n\n`

export const notACompletion = (): ProviderError =>
  toProviderError({ type: 'malformed', message: 'The upstream sent an event that is not a completion.' })

export const eventTooLarge = (): ProviderError =>
  toProviderError({ type: 'malformed', message: 'The upstream sent an event that is too large.' })

export const closedBeforeAnswer = (): ProviderError =>
  toProviderError({ type: 'interrupted', message: 'The upstream closed the connection before it answered.' })

export const streamIncomplete = (): ProviderError =>
  toProviderError({ type: 'interrupted', message: 'The upstream closed the stream before it was complete.' })

export const idleTimeout = (): ProviderError =>
  toProviderError({
    type: 'timed-out',
    phase: 'idle',
    message: 'The upstream stopped sending before its answer ended.',
  })

export const clientDisconnected = (): ProviderError =>
  toProviderError({ type: 'cancelled', message: 'The client has disconnected.' })

export const totalTimeout = (): ProviderError =>
  toProviderError({
    type: 'timed-out',
    phase: 'total',
    message: 'The answer took longer than the timeout of the request.',
  })
