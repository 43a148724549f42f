import type { ModelTarget } from '../../models/model-route.ts'
import type { ChatProvider, DialectProvider, TranslationTarget, UpstreamHeaders } from '../../providers/provider.ts'
import type { Dialect, JsonObject } from '../dialect.ts'
import { countIn } from '../json-values.ts'
import { TranslationFailure } from './translation-failure.ts'

/** The part of a provider that serves a request, with the rules of its model. */
export type UpstreamService = ServiceRules &
  (
    | { readonly dialect: 'chat'; readonly provider: ChatProvider }
    | { readonly dialect: 'responses' | 'messages'; readonly provider: DialectProvider }
  )

/** The rules for requests to one model. */
interface ServiceRules {
  /** Names of the client's headers that the upstream gets. */
  readonly forwardHeaders: readonly string[]
  /** Fields that the upstream gets where the request does not have them. */
  readonly defaults: JsonObject | undefined
  /** Called with the headers of each answer. */
  answered(headers: UpstreamHeaders['headers']): void
}

/** The dialects for the requests of each one: their own, then those that lose the least. */
const preferred: Readonly<Record<Dialect, readonly Dialect[]>> = {
  chat: ['chat', 'responses', 'messages'],
  responses: ['responses', 'messages', 'chat'],
  messages: ['messages', 'responses', 'chat'],
}

/** How a provider serves the requests of a dialect. Each is for those that the one before cannot carry. */
export type UpstreamServices = readonly [UpstreamService, ...UpstreamService[]]

/** Returns how a provider serves the requests of a dialect. Its own dialect carries all of them. */
export function upstreamServicesOf(target: ModelTarget, front: Dialect): UpstreamServices | undefined {
  const own = serviceIn(target, front)
  if (own) return [own]
  const [first, ...others] = preferred[front].flatMap((dialect) => serviceIn(target, dialect) ?? [])
  return first && [first, ...others]
}

/**
 * Calls the services in their order until the dialect of one can carry the request.
 *
 * @throws the refusal of the first service, where none can
 */
export function firstThatCarries<Answer>(
  services: UpstreamServices,
  call: (service: UpstreamService) => Promise<Answer>,
): Promise<Answer> {
  return services.length === 1 ? call(services[0]) : inTheirOrder(services, call)
}

async function inTheirOrder<Answer>(
  [service, next, ...further]: UpstreamServices,
  call: (service: UpstreamService) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await call(service)
  } catch (refusal) {
    if (!next || !(refusal instanceof TranslationFailure)) throw refusal
    try {
      return await firstThatCarries([next, ...further], call)
    } catch (thrown) {
      throw thrown instanceof TranslationFailure ? refusal : thrown
    }
  }
}

function serviceIn({ upstream, model }: ModelTarget, dialect: Dialect): UpstreamService | undefined {
  const { chat, responses, messages } = upstream.provider
  const { forwardHeaders, parameters } = upstream.rulesOf(model)
  const rules: ServiceRules = {
    forwardHeaders,
    defaults: parameters?.[dialect],
    answered: (headers) => upstream.pauses.answered(model, headers),
  }
  if (dialect === 'chat') return chat && { dialect, provider: chat, ...rules }
  const provider = dialect === 'responses' ? responses : messages
  return provider && { dialect, provider, ...rules }
}

/** Returns what translated requests to a model may use. */
export function translationTargetOf(
  { dialect, provider, defaults }: UpstreamService,
  model: string,
): Required<TranslationTarget> {
  // Custom tools are a part of responses. Upstreams of chat completions have them or not, and Anthropic has none.
  const target = { ...defaultTarget, customTools: dialect === 'responses', ...provider.translationTarget?.(model) }
  if (dialect !== 'messages') return target
  const defaultMaxTokens = countIn(defaults?.max_tokens) ?? target.defaultMaxTokens
  return { ...target, customTools: false, defaultMaxTokens }
}

const defaultTarget: Omit<Required<TranslationTarget>, 'customTools'> = {
  defaultMaxTokens: 8192,
  reasoning: 'adaptive',
  cacheBreakpoints: false,
}
