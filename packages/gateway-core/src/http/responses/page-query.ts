import type { InferOutput } from 'valibot'
import type { ItemPageQuery } from '../../responses/item-page.ts'
import type { itemQuerySchema } from './stored-response-schema.ts'

export const pageQuery = ({ limit, order, after, before }: InferOutput<typeof itemQuerySchema>): ItemPageQuery => ({
  limit,
  order,
  ...(after !== undefined && { after }),
  ...(before !== undefined && { before }),
})
