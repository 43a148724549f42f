import { expectOk } from '@trivium/http-client'
import type { GatewayClient } from '../../../hooks/use-gateway.ts'

export const searchTypes = [
  { value: 'text', label: 'Pages' },
  { value: 'news', label: 'News' },
  { value: 'images', label: 'Images' },
  { value: 'suggestions', label: 'Suggestions' },
] as const

export interface Search {
  readonly q: string
  readonly type: (typeof searchTypes)[number]['value']
  readonly engine: string
}

/** Searches with the named engine, or with the first that answers when `engine` is empty. */
export const runSearch = (gateway: GatewayClient, { q, type, engine }: Search, signal: AbortSignal) =>
  expectOk(gateway.search({ query: { q, type, ...(engine !== '' && { engine }) }, signal }))

export type SearchAnswer = Awaited<ReturnType<typeof runSearch>>
