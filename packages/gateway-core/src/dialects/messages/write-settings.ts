import { absentField } from '../absent-field.ts'
import type { ConversationRequest } from '../conversation/conversation-request.ts'
import type { JsonObject } from '../dialect.ts'
import { refusesSampling, takesOneSampling } from './claude-version.ts'
import { given } from './fields.ts'
import type { Omissions } from './omissions.ts'

/** Refuses what would change the answer and that no message has. */
export function refuseUnsupported({ settings, names }: ConversationRequest): void {
  const wanted: readonly (readonly [name: string, isWanted: boolean])[] = [
    [names.choices ?? 'n', (settings.choices ?? 1) !== 1],
    [names.logProbabilities ?? 'logprobs', settings.logProbabilities !== undefined],
    [names.logitBias ?? 'logit_bias', Object.keys(settings.logitBias ?? {}).length > 0],
  ]
  for (const [name, isWanted] of wanted) {
    if (isWanted) throw absentField(name, 'messages')
  }
}

/** Lists the hints that no message has. */
export function listHints({ settings, names, dialect }: ConversationRequest, omitted: Omissions): void {
  const hints: readonly (readonly [name: string, isSet: boolean])[] = [
    [names.presencePenalty ?? 'presence_penalty', (settings.presencePenalty ?? 0) !== 0],
    [names.frequencyPenalty ?? 'frequency_penalty', (settings.frequencyPenalty ?? 0) !== 0],
    [names.seed ?? 'seed', settings.seed !== undefined],
    [names.verbosity ?? 'verbosity', settings.verbosity !== undefined],
    [names.promptCacheKey ?? 'prompt_cache_key', settings.promptCacheKey !== undefined],
    [names.promptCacheRetention ?? 'prompt_cache_retention', settings.promptCacheRetention !== undefined],
    // The gateway itself keeps responses and their metadata.
    [names.store ?? 'store', settings.store === true && dialect === 'chat'],
    [names.metadata ?? 'metadata', Object.keys(settings.metadata ?? {}).length > 0 && dialect === 'chat'],
  ]
  for (const [name, isSet] of hints) if (isSet) omitted.add(name)
}

/** Writes how tokens are chosen. Thinking and newer models exclude some of it, which is a hint: it is left out. */
export function writeSampling(
  { settings, names }: ConversationRequest,
  { model, thinks, omitted }: { readonly model: string; readonly thinks: boolean; readonly omitted: Omissions },
): JsonObject {
  const { temperature, topP, topK } = settings
  const isRefused = thinks || refusesSampling(model)
  const hasBoth = temperature !== undefined && topP !== undefined && takesOneSampling(model)
  const keep = (name: string, value: number | undefined, isKept: boolean): number | undefined => {
    if (value !== undefined && !isKept) omitted.add(name)
    return isKept ? value : undefined
  }
  return {
    ...given(
      'temperature',
      keep(
        names.temperature ?? 'temperature',
        temperature === undefined ? undefined : Math.min(temperature, 1),
        !isRefused,
      ),
    ),
    ...given('top_p', keep(names.topP ?? 'top_p', topP, !isRefused && !hasBoth)),
    ...given('top_k', keep(names.topK ?? 'top_k', topK, !isRefused)),
  }
}

/** Writes the stop sequences. Anthropic refuses those of white space. */
export function writeStop({ settings, names }: ConversationRequest, omitted: Omissions): JsonObject {
  const visible = (settings.stop ?? []).filter((sequence) => sequence.trim() !== '')
  if (visible.length < (settings.stop ?? []).length) omitted.add(names.stop ?? 'stop')
  return visible.length > 0 ? { stop_sequences: visible } : {}
}

/** Messages have one id of the end user. */
export function writeUser({ settings, names }: ConversationRequest, omitted: Omissions): JsonObject {
  const { user } = settings
  const id = [settings.safetyIdentifier, user, settings.metadata?.user_id].find(
    (value) => value !== undefined && value !== '',
  )
  if (user !== undefined && user !== '' && user !== id) omitted.add(names.user ?? 'user')
  return id === undefined ? {} : { metadata: { user_id: id } }
}

export function writeServiceTier({ settings, names }: ConversationRequest, omitted: Omissions): JsonObject {
  const { serviceTier: tier } = settings
  if (tier === 'auto') return { service_tier: 'auto' }
  if (tier === 'default') return { service_tier: 'standard_only' }
  if (tier !== undefined) omitted.add(names.serviceTier ?? 'service_tier')
  return {}
}
