import { useInfiniteQuery } from '@tanstack/react-query'
import { expectOk } from '@trivium/http-client'
import { type GatewayClient, useGateway } from '../../../hooks/use-gateway.ts'
import { topicKey } from '../../../live/topic-key.ts'

const PAGE_SIZE = 100

// The gateway records the use of keys with a delay.
const REFRESH_MS = 5000

const readKeys = (gateway: GatewayClient, after: string | undefined, signal: AbortSignal) =>
  expectOk(gateway.listKeys({ query: { limit: PAGE_SIZE, ...(after !== undefined && { after }) }, signal }))

export type Key = Awaited<ReturnType<typeof readKeys>>['data'][number]

/** Reads the keys by their creation, in pages of 100. */
export function useKeys() {
  const gateway = useGateway()
  return useInfiniteQuery({
    queryKey: topicKey('gateway', 'keys', 'all'),
    queryFn: ({ pageParam, signal }) => readKeys(gateway, pageParam, signal),
    refetchInterval: REFRESH_MS,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ has_more: more, last_id: last }) => (more && last !== null ? last : undefined),
  })
}
