import type { Job } from './job.ts'
import type { Jobs } from './jobs.ts'

/** The waiting and running jobs of a lane. */
export async function unfinishedJobs(jobs: Pick<Jobs, 'list'>, lane: string): Promise<readonly Job[]> {
  const isNotEnded = { field: 'endedAt', negated: false, term: { kind: 'null' } } as const
  const { records } = await jobs.list({ query: { all: [{ any: [isNotEnded] }] }, order: [], limit: 10_000 })
  return records.filter((job) => job.lane === lane)
}
