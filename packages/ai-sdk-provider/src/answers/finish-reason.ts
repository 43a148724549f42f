import { type FinishReason, ProviderFailure } from '@trivium/gateway-core/ports'
import { isObject } from '@trivium/provider-kit/answers'

const finishReasons: ReadonlyMap<unknown, FinishReason> = new Map([
  ['stop', 'stop'],
  ['length', 'length'],
  ['content-filter', 'content_filter'],
  ['tool-calls', 'tool_calls'],
])

/**
 * Version 2 has the reason alone, later ones have it as `unified`. What is not known is a proper end of some kind.
 *
 * @throws ProviderFailure where the model says that it did not end properly
 */
export function finishReason(reason: unknown): FinishReason {
  const unified = isObject(reason) ? reason.unified : reason
  if (unified === 'error') throw new ProviderFailure({ type: 'refused', status: 500, message: 'The model failed.' })
  if (unified === 'interrupted') throw new ProviderFailure(interrupted)
  return finishReasons.get(unified) ?? 'stop'
}

/**
 * The reason at the end of a stream. Model objects before version 4 say `unknown`, or `other` without the upstream's
 * own reason, where the upstream's stream ended without one: it was cut.
 */
export function streamFinishReason(reason: unknown): FinishReason {
  const cut = isObject(reason) ? reason.unified === 'other' && reason.raw === undefined : reason === 'unknown'
  if (cut) throw new ProviderFailure(interrupted)
  return finishReason(reason)
}

const interrupted = {
  type: 'interrupted',
  message: 'The model broke off before its answer was complete.',
} as const
