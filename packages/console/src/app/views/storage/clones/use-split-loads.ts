import { useQuery } from '@tanstack/react-query'
import { expectOk } from '@trivium/http-client'
import { useStorage } from '../../../hooks/use-storage.ts'
import { topicKey } from '../../../live/topic-key.ts'

export function useSplitLoads() {
  const storage = useStorage()
  return useQuery({
    queryKey: topicKey('storage', 'nodes', 'split-loads'),
    queryFn: async ({ signal }) =>
      (await expectOk(storage.listSplitLoads({ query: { fields: '*' }, signal }))).records ?? [],
  })
}
