import { useQuery } from '@tanstack/react-query'
import { useStorage } from '../../../hooks/use-storage.ts'
import { topicKey } from '../../../live/topic-key.ts'
import { readDead, readWebhooks } from './read-webhooks.ts'

// Other processes change webhooks and give deliveries up too.
const REFRESH_MS = 10_000

export function useWebhooks() {
  const storage = useStorage()
  return useQuery({
    queryKey: topicKey('storage', 'webhooks', 'all'),
    queryFn: ({ signal }) => readWebhooks(storage, signal),
    refetchInterval: REFRESH_MS,
  })
}

export function useDead(uuid: string) {
  const storage = useStorage()
  return useQuery({
    queryKey: topicKey('storage', 'webhooks', 'dead', uuid),
    queryFn: ({ signal }) => readDead(storage, uuid, signal),
    refetchInterval: REFRESH_MS,
  })
}
