import { defineContract } from '@trivium/http-contract'
import * as v from 'valibot'
import { graceEnforcements } from '../../quota-reports/watched-limit.ts'
import { quotaTypes } from '../../quota-rules/quota-target.ts'
import { listParameters, showParameters } from '../collections/list-parameters.ts'
import { failureResponses } from '../errors/failure.ts'
import { links, listOf, reference, sizeInAnswer } from '../wire-schemas.ts'
import { reportWireFields } from './report-fields.ts'

const amount = v.partial(
  v.object({
    hard_limit: sizeInAnswer,
    soft_limit: sizeInAnswer,
    used: v.partial(v.object({ total: v.number(), hard_limit_percent: v.number(), soft_limit_percent: v.number() })),
    soft_limit_exceeded_time: v.pipe(v.string(), v.description('Since when the usage is above the soft limit.')),
    grace: v.pipe(
      v.partial(
        v.object({
          period: v.pipe(v.string(), v.description('As an ISO 8601 duration.')),
          enforced_by: v.pipe(
            v.picklist(graceEnforcements),
            v.description('`none`: the file system cannot enforce the soft limit, which only notifies.'),
          ),
          start_time: v.string(),
          end_time: v.string(),
          left: v.pipe(v.string(), v.description('As an ISO 8601 duration.')),
          expired: v.pipe(v.boolean(), v.description('Whether the soft limit is enforced as hard.')),
        }),
      ),
      v.description('Absent where the soft limit only notifies.'),
    ),
    thresholds: v.array(v.number()),
    exceeded_thresholds: v.array(v.number()),
  }),
)

export const principal = v.partial(v.object({ name: v.string(), id: v.string() }))

/** The members of a report. */
export const reportMembers = {
  svm: reference,
  volume: reference,
  index: v.pipe(v.number(), v.description('Unique among the reports of a volume.')),
  type: v.picklist(quotaTypes),
  users: v.array(principal),
  group: principal,
  qtree: v.partial(v.object({ name: v.string(), id: v.number(), _links: links })),
  space: amount,
  files: amount,
  _links: links,
}

const report = v.pipe(v.partial(v.object(reportMembers)), v.title('QuotaReport'))

const reports = v.object({
  ...listOf(report).entries,
  warnings: v.optional(
    v.pipe(
      v.array(v.object({ message: v.string(), code: v.string(), target: v.optional(v.string()) })),
      v.description('The selected volumes whose usage cannot be read, with the reason.'),
    ),
  ),
})

const tags = ['quota reports']
const PATH = '/api/storage/quota/reports'

export const reportOperations = defineContract({
  listQuotaReports: {
    method: 'GET',
    path: PATH,
    tags,
    summary: 'Lists the usage of enforced quotas',
    query: v.looseObject({
      ...listParameters(Object.keys(reportWireFields)).entries,
      show_default_records: v.optional(
        v.pipe(v.string(), v.description('Whether default rules have reports of their own.')),
      ),
    }),
    responses: { 200: reports, ...failureResponses },
  },
  getQuotaReport: {
    method: 'GET',
    path: `${PATH}/{volume_uuid}/{index}`,
    tags,
    summary: 'Reads the usage of one enforced quota',
    params: v.object({ volume_uuid: v.string(), index: v.string() }),
    query: showParameters,
    responses: { 200: report, ...failureResponses },
  },
})
