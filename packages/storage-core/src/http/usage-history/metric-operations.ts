import { defineContract } from '@trivium/http-contract'
import * as v from 'valibot'
import { listParameters } from '../collections/list-parameters.ts'
import { failureResponses } from '../errors/failure.ts'
import { links, listOf } from '../wire-schemas.ts'
import { reportMetricFields, volumeMetricFields } from './metric-fields.ts'

const interval = v.pipe(v.object({ timestamp: v.string() }), v.description('The start of the interval.'))

const common = {
  ...interval.entries,
  duration: v.pipe(v.string(), v.description('The length of the interval, such as `PT5M`.')),
  status: v.pipe(v.string(), v.description('Always `ok`. An interval without a sample is absent.')),
  _links: links,
}

const used = v.pipe(v.number(), v.description('At the last sample of the interval.'))
const usedPeak = v.pipe(v.number(), v.description('The most of all samples of the interval.'))
const amounts = v.partial(v.object({ used, used_peak: usedPeak }))

const volumeMetric = v.pipe(
  v.partial(
    v.object({
      ...common,
      space: v.partial(v.object({ size: v.number(), available: v.number(), used, used_peak: usedPeak })),
    }),
  ),
  v.title('VolumeMetric'),
)

const reportMetric = v.pipe(
  v.partial(
    v.object({
      ...common,
      space: amounts,
      files: v.pipe(amounts, v.description('Absent where the file system counts files only by a walk.')),
    }),
  ),
  v.title('QuotaReportMetric'),
)

const parameters = (fields: object) =>
  v.looseObject({
    ...listParameters(Object.keys(fields)).entries,
    interval: v.optional(
      v.pipe(
        v.string(),
        v.description('The period that ends now: `1h`, `1d`, `1w`, `1m` (31 days) or `1y`. `1h` by default.'),
      ),
    ),
  })

export const metricOperations = defineContract({
  listVolumeMetrics: {
    method: 'GET',
    path: '/api/storage/volumes/{uuid}/metrics',
    tags: ['volumes'],
    summary: 'Lists the space of a volume over time',
    params: v.object({ uuid: v.string() }),
    query: parameters(volumeMetricFields),
    responses: { 200: listOf(volumeMetric), ...failureResponses },
  },
  listQuotaReportMetrics: {
    method: 'GET',
    path: '/api/storage/quota/reports/{volume_uuid}/{index}/metrics',
    tags: ['quota reports'],
    summary: 'Lists the usage of an enforced quota over time',
    params: v.object({ volume_uuid: v.string(), index: v.string() }),
    query: parameters(reportMetricFields),
    responses: { 200: listOf(reportMetric), ...failureResponses },
  },
})
