import type { Storage } from '../../create-storage.ts'
import { type Job, type JobField, jobFields } from '../../jobs/job.ts'
import type { WireRecord } from '../collections/field-selection.ts'
import { asResult, type RecordSource } from '../collections/list-records.ts'
import { jobFailure } from '../errors/job-failure.ts'
import type { LinkTo } from '../links-from.ts'
import { svmToWire } from '../references.ts'
import { timeToWire } from '../time-to-wire.ts'
import { jobPath } from './answer-job.ts'

export const JOBS_PATH = '/api/cluster/jobs'

function jobToWire(job: Job, links: LinkTo | undefined): WireRecord {
  const { uuid, description, state, failure, progress, startedAt, endedAt, node, svm } = job
  const failed = failure && jobFailure(failure)
  return {
    uuid,
    description,
    state,
    message: failed?.message ?? (progress && state === 'running' ? `${progress.done} of ${progress.total}` : state),
    code: failed?.code ?? 0,
    ...(failed && { error: { message: failed.message, code: String(failed.code) } }),
    ...(startedAt && { start_time: timeToWire(startedAt) }),
    ...(endedAt && { end_time: timeToWire(endedAt) }),
    node: { name: node.name },
    svm: svmToWire(svm, links),
    ...(links && { _links: links(jobPath(job)) }),
  }
}

export function jobSource({ jobs }: Storage): RecordSource<Job, JobField> {
  return {
    records: {
      path: JOBS_PATH,
      catalogue: jobFields,
      fields: {
        uuid: { field: 'uuid' },
        description: { field: 'description' },
        state: { field: 'state' },
        message: { field: 'message' },
        start_time: { field: 'startedAt' },
        end_time: { field: 'endedAt' },
        'svm.uuid': { field: 'svmUuid' },
        'svm.name': { field: 'svmName' },
        'node.name': { field: 'nodeName' },
        'node.uuid': { field: 'nodeUuid' },
      },
      listed: ['uuid'],
      computed: new Set(['code', 'error']),
    },
    list: (request) => asResult(jobs.list(request)),
    count: (query) => asResult(jobs.count(query)),
    toWire: (job, { links }) => jobToWire(job, links),
    belonging: { to: 'volume', volume: 'volumeUuid', svm: 'svmUuid' },
  }
}
