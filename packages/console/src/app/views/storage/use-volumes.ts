import { useQuery } from '@tanstack/react-query'
import { expectOk } from '@trivium/http-client'
import { useStorage } from '../../hooks/use-storage.ts'
import { topicKey } from '../../live/topic-key.ts'

// Files that programs write tell nobody.
const REFRESH_MS = 5000

export function useVolumes() {
  const storage = useStorage()
  return useQuery({
    queryKey: topicKey('storage', 'volumes', 'all'),
    queryFn: async ({ signal }) =>
      (
        await expectOk(
          storage.listVolumes({ query: { fields: 'name,svm,node,space,quota.state', order_by: 'name' }, signal }),
        )
      ).records ?? [],
    refetchInterval: REFRESH_MS,
  })
}

export type Volume = NonNullable<ReturnType<typeof useVolumes>['data']>[number]
