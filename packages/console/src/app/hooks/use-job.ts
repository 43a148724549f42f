import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { expectOk } from '@trivium/http-client'
import { topicKey } from '../live/topic-key.ts'
import { type StorageClient, useStorage } from './use-storage.ts'

const POLL_MS = 1000

export type Job = Awaited<ReturnType<typeof readJob>>

/** Reads a job of the storage service every second until it has ended. Its `message` has the progress. */
export function useJob(uuid: string | undefined): UseQueryResult<Job> {
  const storage = useStorage()
  return useQuery({
    queryKey: topicKey('storage', 'jobs', uuid),
    queryFn: ({ signal }) => readJob(storage, uuid ?? '', signal),
    enabled: uuid !== undefined,
    refetchInterval: ({ state }) => (hasEnded(state.data) ? false : POLL_MS),
  })
}

/** Whether the job has succeeded or failed. */
export const hasEnded = (job: Job | undefined): boolean => job?.state === 'success' || job?.state === 'failure'

const readJob = (storage: StorageClient, uuid: string, signal: AbortSignal) =>
  expectOk(storage.getJob({ params: { uuid }, query: { fields: '*' }, signal }))
