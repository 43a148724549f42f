import type { ResultAsync } from 'neverthrow'
import type { Storage } from '../../create-storage.ts'
import type { Job } from '../../jobs/job.ts'
import { hasEnded } from '../../jobs/jobs.ts'
import { codes } from '../errors/error-codes.ts'
import { type Failure, failureBody } from '../errors/failure.ts'
import { jobFailure } from '../errors/job-failure.ts'
import { jobReference } from '../jobs/answer-job.ts'
import { type FailureAnswer, failureAnswer, type JsonAnswer, jsonAnswer } from './answers.ts'
import { type ListCall, type RecordSource, readListRequest } from './list-records.ts'
import { nextLink } from './page-position.ts'

export interface ChangeRecordsOptions<Entity, Name extends string> {
  readonly source: RecordSource<Entity, Name>
  readonly storage: Pick<Storage, 'jobs' | 'now'>
  /** Changes one record. Returns the job when the change continues in the background. */
  readonly change: (entity: Entity) => ResultAsync<Job | undefined, Failure>
}

/**
 * Answers PATCH and DELETE on a collection. Changes the records that match the query one after the other, up to the
 * first failure unless `continue_on_failure` is set. Earlier changes stay.
 */
export async function changeRecords<Entity, Name extends string>(
  { rawQuery, caller, ending }: ListCall & { readonly ending: AbortSignal },
  { source, storage, change }: ChangeRecordsOptions<Entity, Name>,
): Promise<JsonAnswer<200 | 202> | FailureAnswer> {
  const read = readListRequest(rawQuery, caller, source)
  if (read.isErr()) return failureAnswer(caller, read.error)
  const { page, filters, parameters } = read.value
  // An ignored filter must not select all records.
  if (filters === 0) return failureAnswer(caller, queryMissing)
  const listed = await source.list(page, parameters)
  if (listed.isErr()) return failureAnswer(caller, listed.error)
  const { records, next } = listed.value
  const { jobs, now } = storage
  const deadline = now().getTime() + timeoutOf(rawQuery, parameters.returnTimeout) * 1000
  const waitFor = async (job: Job, milliseconds: number): Promise<Job> =>
    hasEnded(job) || milliseconds <= 0 ? job : jobs.wait(job, milliseconds, ending)
  const started: Job[] = []
  let changed = 0
  let failed: Failure | undefined
  for (const entity of records) {
    const outcome = await change(entity)
    if (outcome.isErr()) failed ??= outcome.error
    else changed += 1
    const job = outcome.isOk() ? outcome.value : undefined
    if (job) started.push(await waitFor(job, deadline - now().getTime()))
    const failure = started.at(-1)?.failure
    if (job && failure) failed ??= jobFailure(failure)
    if (failed && !parameters.continueOnFailure) break
  }
  const references = started.length > 0 ? { jobs: started.map((job) => jobReference(job, caller)) } : {}
  if (failed) {
    return jsonAnswer(caller, failed.status, { ...failureBody(failed), num_records: changed, ...references })
  }
  const href = next && `${caller.mountPath}${nextLink(rawQuery, next, page.order, source.records)}`
  const links = { ...caller.links?.(source.records.path), ...(href !== undefined && { next: { href } }) }
  return jsonAnswer(
    caller,
    started.every(hasEnded) ? 200 : 202,
    { num_records: changed, ...references, ...(Object.keys(links).length > 0 && { _links: links }) },
    href === undefined ? {} : { headers: { link: `<${href}>; rel="next"` } },
  )
}

/** The parsed default of 15 seconds is that of lists. Changes do not wait by default. */
const timeoutOf = (rawQuery: string, seconds: number): number =>
  new URLSearchParams(rawQuery).has('return_timeout') ? seconds : 0

const queryMissing: Failure = {
  status: 400,
  code: codes.missingValue,
  message: 'A change of a collection needs at least one filter on a field.',
}
