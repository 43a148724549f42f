import { errAsync, type ResultAsync } from 'neverthrow'
import { compileQuery } from '../../query/compile-query.ts'
import { pageInMemory } from '../../query/page-in-memory.ts'
import type { UsagePeriod } from '../../usage-history/usage-history.ts'
import type { UsagePoint } from '../../usage-history/usage-point.ts'
import type { RecordSource } from '../collections/list-records.ts'
import { invalidParameter } from '../collections/parameters.ts'
import { recordBuilder } from '../collections/record-builder.ts'
import type { WireFields } from '../collections/wire-field.ts'
import type { Failure } from '../errors/failure.ts'
import { timeToWire } from '../time-to-wire.ts'
import { formatDuration } from '../tokens/duration.ts'
import { type MetricField, metricFields } from './metric-fields.ts'

/** ONTAP's names of periods. */
const periods: ReadonlyMap<string, UsagePeriod> = new Map([
  ['1h', 'hour'],
  ['1d', 'day'],
  ['1w', 'week'],
  ['1m', 'month'],
  ['1y', 'year'],
])

export interface MetricSourceOptions {
  /** The address of the metrics of one record. */
  readonly path: string
  readonly fields: WireFields<MetricField>
  readonly read: (period: UsagePeriod) => ResultAsync<readonly UsagePoint[], Failure>
}

/** The metrics of one volume or report, at most 1,500 points. */
export function metricSource({ path, fields, read }: MetricSourceOptions): RecordSource<UsagePoint, MetricField> {
  const records = { path, catalogue: metricFields, fields }
  const build = recordBuilder(records)
  const inPeriod = (interval = '1h') => {
    const period = periods.get(interval)
    return period ? read(period) : errAsync(invalidParameter('interval', interval))
  }
  return {
    records,
    hasInterval: true,
    list: (request, { interval }) => inPeriod(interval).map((points) => pageInMemory(metricFields, points, request)),
    count: (query, { interval }) =>
      inPeriod(interval).map((points) => points.filter(compileQuery(metricFields, query)).length),
    toWire: (point) => {
      const interval = { timestamp: timeToWire(point.at), duration: formatDuration(point.seconds) }
      return { ...interval, status: 'ok', ...build(point, interval) }
    },
    belonging: { to: 'found record' },
  }
}
