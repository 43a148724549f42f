import { defineFields } from '../../query/field-catalogue.ts'
import type { UsagePoint } from '../../usage-history/usage-point.ts'
import { constant, type WireFields } from '../collections/wire-field.ts'
import { parseDurationFilter } from '../tokens/duration.ts'

/** The fields of a point that queries and orders can name. A list has the points of one volume or report. */
export const metricFields = defineFields<UsagePoint>()(
  {
    at: { type: 'date', read: ({ at }) => at.getTime() },
    seconds: { type: 'integer', read: ({ seconds }) => seconds },
    size: { type: 'integer', read: ({ size }) => size },
    available: { type: 'integer', read: ({ available }) => available },
    used: { type: 'integer', read: ({ used }) => used },
    usedPeak: { type: 'integer', read: ({ usedPeak }) => usedPeak },
    files: { type: 'integer', read: ({ files }) => files },
    filesPeak: { type: 'integer', read: ({ filesPeak }) => filesPeak },
  },
  ['at'],
)

export type MetricField = keyof typeof metricFields.fields

const shared: WireFields<MetricField> = {
  timestamp: { field: 'at' },
  duration: { field: 'seconds', parse: parseDurationFilter },
  status: constant('ok', { type: 'string' }),
}

/** The wire names of the fields of a volume's metrics. */
export const volumeMetricFields: WireFields<MetricField> = {
  ...shared,
  'space.size': { field: 'size' },
  'space.available': { field: 'available' },
  'space.used': { field: 'used' },
  'space.used_peak': { field: 'usedPeak' },
}

/** The wire names of the fields of a quota report's metrics. */
export const reportMetricFields: WireFields<MetricField> = {
  ...shared,
  'space.used': { field: 'used' },
  'space.used_peak': { field: 'usedPeak' },
  'files.used': { field: 'files' },
  'files.used_peak': { field: 'filesPeak' },
}
