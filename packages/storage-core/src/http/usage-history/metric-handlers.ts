import type { Handlers } from '@trivium/http-contract'
import type { UsagePeriod } from '../../usage-history/usage-history.ts'
import type { Caller } from '../access/caller.ts'
import { listRecords } from '../collections/list-records.ts'
import { ifVisible } from '../collections/visible-records.ts'
import { notFound, toFailure } from '../errors/to-failure.ts'
import type { HandlerOptions } from '../handler-options.ts'
import { reportPath } from '../quota-reports/report-records.ts'
import { pathNumber } from '../requests/path-number.ts'
import { VOLUMES_PATH, volumeSource } from '../volumes/volume-records.ts'
import { reportMetricFields, volumeMetricFields } from './metric-fields.ts'
import type { metricOperations } from './metric-operations.ts'
import { metricSource } from './metric-records.ts'

export function metricHandlers({ storage }: HandlerOptions): Handlers<typeof metricOperations, Caller> {
  const { volumes, usageHistory } = storage
  const visible = volumeSource(storage)
  const find = (uuid: string, caller: Caller, missing: 'uuid' | 'index') =>
    volumes
      .find(uuid)
      .mapErr(() => notFound(missing))
      .andThen(ifVisible(caller, visible, notFound(missing)))
  return {
    listVolumeMetrics: (call) => {
      const { uuid } = call.params
      const read = (period: UsagePeriod) =>
        find(uuid, call.caller, 'uuid').andThen(() => usageHistory.ofVolume(uuid, period).mapErr(toFailure))
      return listRecords(
        call,
        metricSource({ path: `${VOLUMES_PATH}/${uuid}/metrics`, fields: volumeMetricFields, read }),
      )
    },
    listQuotaReportMetrics: (call) => {
      const { volume_uuid: uuid, index: text } = call.params
      const index = pathNumber(text)
      const read = (period: UsagePeriod) =>
        find(uuid, call.caller, 'index').andThen(() => usageHistory.ofReport(uuid, index, period).mapErr(toFailure))
      return listRecords(
        call,
        metricSource({ path: `${reportPath(uuid, index)}/metrics`, fields: reportMetricFields, read }),
      )
    },
  }
}
