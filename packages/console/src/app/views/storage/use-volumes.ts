import { useQuery } from '@tanstack/react-query'
import { expectOk } from '@trivium/http-client'
import { useStorage } from '../../hooks/use-storage.ts'
import { topicKey } from '../../live/topic-key.ts'

// No activity reports that programs write files.
const REFRESH_MS = 5000

/** Reads the volumes by name, and again every 5 seconds. */
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
