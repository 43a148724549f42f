import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { expectOk } from '@trivium/http-client'
import { type StorageClient, useStorage } from '../../../hooks/use-storage.ts'
import { topicKey } from '../../../live/topic-key.ts'
import { type RuleQuery, readFilter } from './read-filter.ts'

/** The number of rules on a page. */
export const PAGE_SIZE = 50

async function readRules(storage: StorageClient, query: RuleQuery, signal: AbortSignal) {
  const { records = [], _links } = await expectOk(storage.listQuotaRules({ query, signal }))
  return { records, next: _links?.next && queryOf(_links.next.href) }
}

export type RulesPage = Awaited<ReturnType<typeof readRules>>
export type Rule = RulesPage['records'][number]

/** Reads the first page of the rules that match a filter, or the page of `pageQuery`. */
export function useRules(filter: string, order: string, pageQuery: RuleQuery | undefined) {
  const storage = useStorage()
  const first = { ...readFilter(filter), order_by: [order], fields: ['*'], max_records: [String(PAGE_SIZE)] }
  return useQuery({
    queryKey: topicKey('storage', 'rules', 'page', filter, order, pageQuery),
    queryFn: ({ signal }) => readRules(storage, pageQuery ?? first, signal),
    placeholderData: keepPreviousData,
  })
}

/** Counts the rules that match a filter. */
export function useRuleCount(filter: string) {
  const storage = useStorage()
  return useQuery({
    queryKey: topicKey('storage', 'rules', 'count', filter),
    queryFn: async ({ signal }) =>
      (await expectOk(storage.listQuotaRules({ query: { ...readFilter(filter), return_records: 'false' }, signal })))
        .num_records,
    placeholderData: keepPreviousData,
  })
}

function queryOf(href: string): RuleQuery {
  const { searchParams } = new URL(href, location.href)
  return Object.fromEntries([...new Set(searchParams.keys())].map((name) => [name, searchParams.getAll(name)]))
}
