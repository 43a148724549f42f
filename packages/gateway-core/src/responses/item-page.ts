import type { JsonObject } from '../dialects/dialect.ts'

/** Selects a page of a list of items. */
export interface ItemPageQuery {
  /** From 1 to 100. */
  readonly limit: number
  readonly order: 'asc' | 'desc'
  /** The last item of the previous page. @default the first page */
  readonly after?: string
}

/** A page of items. */
export interface ItemPage {
  readonly items: readonly JsonObject[]
  readonly hasMore: boolean
}

/** Returns a page of items in the order of their creation. An unknown `after` gives an empty page. */
export function pageOf(items: readonly JsonObject[], { limit, order, after }: ItemPageQuery): ItemPage {
  const ordered = order === 'asc' ? items : items.toReversed()
  const start = after === undefined ? 0 : ordered.findIndex(({ id }) => id === after) + 1
  if (after !== undefined && start === 0) return { items: [], hasMore: false }
  return { items: ordered.slice(start, start + limit), hasMore: ordered.length > start + limit }
}
