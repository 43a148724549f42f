import { defineContract } from '@trivium/http-contract'
import * as v from 'valibot'
import { jobStates } from '../../jobs/job.ts'
import { listParameters, showParameters } from '../collections/list-parameters.ts'
import { failureResponses } from '../errors/failure.ts'
import { links, listOf, reference } from '../wire-schemas.ts'

const job = v.pipe(
  v.partial(
    v.object({
      uuid: v.string(),
      description: v.pipe(v.string(), v.description('The request that created the job.')),
      state: v.picklist(jobStates),
      message: v.string(),
      code: v.pipe(v.number(), v.description('The error code, 0 unless the job failed.')),
      error: v.partial(v.object({ message: v.string(), code: v.string() })),
      start_time: v.string(),
      end_time: v.string(),
      node: v.object({ name: v.string() }),
      svm: reference,
      _links: links,
    }),
  ),
  v.title('Job'),
)

const tags = ['jobs']
const PATH = '/api/cluster/jobs'
const instance = `${PATH}/{uuid}` as const
const params = v.object({ uuid: v.string() })

export const jobOperations = defineContract({
  listJobs: {
    method: 'GET',
    path: PATH,
    tags,
    summary: 'Lists jobs, ended ones for 5 minutes by default',
    query: listParameters([
      'uuid',
      'description',
      'state',
      'message',
      'start_time',
      'end_time',
      'svm.uuid',
      'svm.name',
    ]),
    responses: { 200: listOf(job), ...failureResponses },
  },
  getJob: {
    method: 'GET',
    path: instance,
    tags,
    summary: 'Reads a job',
    params,
    query: showParameters,
    responses: { 200: job, ...failureResponses },
  },
  updateJob: {
    method: 'PATCH',
    path: instance,
    tags,
    summary: 'Pauses, resumes or cancels a job',
    params,
    query: v.looseObject({ action: v.optional(v.pipe(v.string(), v.description('One of pause, resume and cancel.'))) }),
    body: v.optional(v.strictObject({ action: v.optional(v.string()), state: v.optional(v.string()) })),
    responses: { 200: v.object({}), ...failureResponses },
  },
})
