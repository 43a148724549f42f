import { useQuery } from '@tanstack/react-query'
import { expectOk } from '@trivium/http-client'
import { type StorageClient, useStorage } from '../../../hooks/use-storage.ts'
import { topicKey } from '../../../live/topic-key.ts'

const MAX_RECORDS = 500

/** Reads at most 500 splits. */
const readSplits = async (storage: StorageClient, signal: AbortSignal) =>
  (await expectOk(storage.listSplits({ query: { fields: '*', max_records: MAX_RECORDS }, signal }))).records ?? []

export type FileSplit = Awaited<ReturnType<typeof readSplits>>[number]

export function useSplits() {
  const storage = useStorage()
  return useQuery({
    queryKey: topicKey('storage', 'splits', 'all'),
    queryFn: ({ signal }) => readSplits(storage, signal),
  })
}
