import type { JsonObject } from '../dialects/dialect.ts'

/** Selects a page of a list of items. */
export interface ItemPageQuery {
  /** From 1 to 100. */
  readonly limit: number
  readonly order: 'asc' | 'desc'
  /** The last item of the previous page. @default the first page */
  readonly after?: string
  /** The first item of the next page. Without `after`, the page ends before it. @default no end */
  readonly before?: string
}

/** A page of items. */
export interface ItemPage {
  readonly items: readonly JsonObject[]
  readonly hasMore: boolean
}

/** Returns a page of items in the order of their creation. An unknown `after` or `before` gives an empty page. */
export function pageOf(items: readonly JsonObject[], { limit, order, after, before }: ItemPageQuery): ItemPage {
  const ordered = order === 'asc' ? items : items.toReversed()
  const start = after === undefined ? 0 : ordered.findIndex(({ id }) => id === after) + 1
  if (after !== undefined && start === 0) return { items: [], hasMore: false }
  const end = before === undefined ? ordered.length : ordered.findIndex(({ id }) => id === before)
  if (end < 0) return { items: [], hasMore: false }
  const between = ordered.slice(start, Math.max(start, end))
  const page = before !== undefined && after === undefined ? between.slice(-limit) : between.slice(0, limit)
  return { items: page, hasMore: between.length > limit }
}
