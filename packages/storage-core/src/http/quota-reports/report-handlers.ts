import type { Handlers } from '@trivium/http-contract'
import type { Caller } from '../access/admission.ts'
import { failureAnswer } from '../collections/answers.ts'
import { listRecords, showRecord } from '../collections/list-records.ts'
import { codes } from '../errors/error-codes.ts'
import { toFailure } from '../errors/to-failure.ts'
import type { HandlerOptions } from '../handler-options.ts'
import { ofSvm } from '../requests/change-request.ts'
import { pathNumber } from '../requests/path-number.ts'
import type { reportOperations } from './report-operations.ts'
import { reportSource } from './report-records.ts'

export function reportHandlers({ storage }: HandlerOptions): Handlers<typeof reportOperations, Caller> {
  const source = reportSource(storage)
  return {
    listQuotaReports: (call) => listRecords(call, source),
    getQuotaReport: (call) => {
      const { rawQuery, caller, params } = call
      if (new URLSearchParams(rawQuery).has('show_default_records')) return failureAnswer(caller, collectionOnly)
      return showRecord(call, source, () =>
        storage.quotaReports
          .find(params.volume_uuid, pathNumber(params.index))
          .mapErr(toFailure)
          .andThen(ofSvm(caller.svm, 'index')),
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
