import { useQuery } from '@tanstack/react-query'
import { expectOk } from '@trivium/http-client'
import { type StorageClient, useStorage } from '../../../hooks/use-storage.ts'
import { topicKey } from '../../../live/topic-key.ts'

// No activity reports that programs write files.
const REFRESH_MS = 3000
const MAX_RECORDS = 200

const readReports = async (storage: StorageClient, signal: AbortSignal) =>
  (
    await expectOk(
      storage.listQuotaReports({
        query: {
          fields: '*',
          show_default_records: false,
          max_records: MAX_RECORDS,
          order_by: 'space.used.hard_limit_percent desc',
        },
        signal,
      }),
    )
  ).records ?? []

export type Report = Awaited<ReturnType<typeof readReports>>[number]

/** Reads the reports of enforced limits, the fullest first. */
export function useReports() {
  const storage = useStorage()
  return useQuery({
    queryKey: topicKey('storage', 'reports', 'all'),
    queryFn: ({ signal }) => readReports(storage, signal),
    refetchInterval: REFRESH_MS,
  })
}
