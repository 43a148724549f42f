import { useQuery } from '@tanstack/react-query'
import { useStorage } from '../../../hooks/use-storage.ts'
import { topicKey } from '../../../live/topic-key.ts'
import { readTokens } from './read-tokens.ts'

// No activity reports that the remaining time decreases.
const REFRESH_MS = 5000

export function useTokens() {
  const storage = useStorage()
  return useQuery({
    queryKey: topicKey('storage', 'tokens', 'all'),
    queryFn: ({ signal }) => readTokens(storage, signal),
    refetchInterval: REFRESH_MS,
  })
}
