import type { Handlers } from '@trivium/http-contract'
import type { Caller } from '../access/caller.ts'
import { failureAnswer } from '../collections/answers.ts'
import { isSelected } from '../collections/field-selection.ts'
import { listRecords, showRecord } from '../collections/list-records.ts'
import { ifVisible } from '../collections/visible-records.ts'
import { codes } from '../errors/error-codes.ts'
import { notFound, toFailure } from '../errors/to-failure.ts'
import type { HandlerOptions } from '../handler-options.ts'
import { pathNumber } from '../requests/path-number.ts'
import { volumeSource } from '../volumes/volume-records.ts'
import type { reportOperations } from './report-operations.ts'
import { reportSource, USED_FILES } from './report-records.ts'

export function reportHandlers({ storage }: HandlerOptions): Handlers<typeof reportOperations, Caller> {
  const source = reportSource(storage)
  const volumes = volumeSource(storage)
  return {
    listQuotaReports: (call) => listRecords(call, source),
    getQuotaReport: (call) => {
      const { rawQuery, caller, params } = call
      if (new URLSearchParams(rawQuery).has('show_default_records')) return failureAnswer(caller, collectionOnly)
      return showRecord(call, source, (selection) =>
        // The volume first, because unavailable usage is reported with its name.
        storage.volumes
          .find(params.volume_uuid)
          .mapErr(() => notFound('index'))
          .andThen(ifVisible(caller, volumes, notFound('index')))
          .andThen(({ uuid }) =>
            storage.quotaReports
              .find(uuid, pathNumber(params.index), { files: isSelected(selection, USED_FILES) })
              .mapErr(toFailure),
          ),
      )
    },
  }
}

const collectionOnly = {
  status: 400,
  code: codes.defaultRecordsOfCollectionOnly,
  message: 'The parameter "show_default_records" is allowed on the collection only.',
  target: 'show_default_records',
} as const
