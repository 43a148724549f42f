import type { ChatProvider, DialectProvider, Provider, TranslationTarget } from '../../providers/provider.ts'
import type { Dialect } from '../dialect.ts'

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

/** Returns how a provider serves the requests of a dialect. */
export function upstreamServiceOf(provider: Provider, front: Dialect): UpstreamService | undefined {
  for (const dialect of preferred[front]) {
    const service = serviceIn(provider, dialect)
    if (service) return service
  }
  return undefined
}

function serviceIn({ chat, responses, messages }: Provider, dialect: Dialect): UpstreamService | undefined {
  if (dialect === 'chat') return chat && { dialect, provider: chat }
  const provider = dialect === 'responses' ? responses : messages
  return provider && { dialect, provider }
}

/** Returns what translated requests to a model may use. */
export function translationTargetOf({ provider }: UpstreamService, model: string): Required<TranslationTarget> {
  return { ...defaultTarget, ...provider.translationTarget?.(model) }
}

const defaultTarget: Required<TranslationTarget> = {
  customTools: false,
  defaultMaxTokens: 8192,
  reasoning: 'adaptive',
  cacheBreakpoints: false,
}
