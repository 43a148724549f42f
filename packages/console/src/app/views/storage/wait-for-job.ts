import { expectOk } from '@trivium/http-client'
import type { StorageClient } from '../../hooks/use-storage.ts'

interface JobReply {
  readonly job?: { readonly uuid: string } | undefined
}

const POLL_MS = 500

/** Waits for the job of a change. @throws Error with the message of the job when it failed */
export async function waitForJob(storage: StorageClient, { job }: JobReply): Promise<void> {
  if (!job) return
  for (;;) {
    const { state, error } = await expectOk(storage.getJob({ params: { uuid: job.uuid }, query: { fields: '*' } }))
    if (state === 'failure') throw new Error(error?.message ?? 'The job failed.')
    if (state === 'success') return
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/** The query that makes the server wait up to 5 seconds for the job before it answers. */
export const waitQuery = { return_timeout: 5 } as const
