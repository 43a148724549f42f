import { type FinishReason, ProviderFailure } from '@trivium/gateway-core/ports'
import { isObject } from '@trivium/provider-kit/answers'

const finishReasons: ReadonlyMap<unknown, FinishReason> = new Map([
  ['stop', 'stop'],
  ['length', 'length'],
  ['content-filter', 'content_filter'],
  ['tool-calls', 'tool_calls'],
])

/**
 * Converts the finish reason of a model. Version 2 has it as text, later versions in `unified`. An unknown reason is
 * `stop`.
 *
 * @throws ProviderFailure if the model reports that it failed or was interrupted
 */
export function finishReason(reason: unknown): FinishReason {
  const unified = isObject(reason) ? reason.unified : reason
  if (unified === 'error') throw new ProviderFailure({ type: 'refused', status: 500, message: 'The model failed.' })
  if (unified === 'interrupted') throw new ProviderFailure(interrupted)
  return finishReasons.get(unified) ?? 'stop'
}

/**
 * Converts the finish reason at the end of a stream. Model objects before version 4 report `unknown`, or `other`
 * without the upstream's own reason, if the upstream's stream was cut off.
 *
 * @throws ProviderFailure if the model reports that it failed, was interrupted or was cut off
 */
export function streamFinishReason(reason: unknown): FinishReason {
  const cut = isObject(reason) ? reason.unified === 'other' && reason.raw === undefined : reason === 'unknown'
  if (cut) throw new ProviderFailure(interrupted)
  return finishReason(reason)
}

const interrupted = {
  type: 'interrupted',
  message: 'The model stopped before its answer was complete.',
} as const
