import type { ChatProvider, DialectProvider, Provider, TranslationTarget } from '../../providers/provider.ts'
import type { Dialect } from '../dialect.ts'
import { TranslationFailure } from './translation-failure.ts'

/** The part of a provider that serves a request. */
export type UpstreamService =
  | { readonly dialect: 'chat'; readonly provider: ChatProvider }
  | { readonly dialect: 'responses' | 'messages'; readonly provider: DialectProvider }

/** The dialects for the requests of each one: their own, then those that lose the least. */
const preferred: Readonly<Record<Dialect, readonly Dialect[]>> = {
  chat: ['chat', 'responses', 'messages'],
  responses: ['responses', 'messages', 'chat'],
  messages: ['messages', 'responses', 'chat'],
}

/** How a provider serves the requests of a dialect. Each is for those that the one before cannot carry. */
export type UpstreamServices = readonly [UpstreamService, ...UpstreamService[]]

/** Returns how a provider serves the requests of a dialect. Its own dialect carries all of them. */
export function upstreamServicesOf(provider: Provider, front: Dialect): UpstreamServices | undefined {
  const own = serviceIn(provider, front)
  if (own) return [own]
  const [first, ...others] = preferred[front].flatMap((dialect) => serviceIn(provider, dialect) ?? [])
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

function serviceIn({ chat, responses, messages }: Provider, dialect: Dialect): UpstreamService | undefined {
  if (dialect === 'chat') return chat && { dialect, provider: chat }
  const provider = dialect === 'responses' ? responses : messages
  return provider && { dialect, provider }
}

/** Returns what translated requests to a model may use. */
export function translationTargetOf(
  { dialect, provider }: UpstreamService,
  model: string,
): Required<TranslationTarget> {
  // Custom tools are a part of responses. Upstreams of chat completions have them or not, and Anthropic has none.
  const target = { ...defaultTarget, customTools: dialect === 'responses', ...provider.translationTarget?.(model) }
  return dialect === 'messages' ? { ...target, customTools: false } : target
}

const defaultTarget: Omit<Required<TranslationTarget>, 'customTools'> = {
  defaultMaxTokens: 8192,
  reasoning: 'adaptive',
  cacheBreakpoints: false,
}
