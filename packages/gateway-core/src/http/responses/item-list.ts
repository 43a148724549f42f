import type { ItemPage } from '../../responses/item-page.ts'

/** Returns a page of items in OpenAI's form. */
export const itemList = ({ items, hasMore }: ItemPage) => ({
  object: 'list' as const,
  data: [...items],
  first_id: idOf(items.at(0)),
  last_id: idOf(items.at(-1)),
  has_more: hasMore,
})

const idOf = (item: { readonly id?: unknown } | undefined): string | null =>
  typeof item?.id === 'string' ? item.id : null
