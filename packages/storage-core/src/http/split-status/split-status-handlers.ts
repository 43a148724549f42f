import type { Handlers } from '@trivium/http-contract'
import type { Caller } from '../access/admission.ts'
import { listRecords, showRecord } from '../collections/list-records.ts'
import { toFailure } from '../errors/to-failure.ts'
import type { HandlerOptions } from '../handler-options.ts'
import { ofSvm } from '../requests/change-request.ts'
import type { splitStatusOperations } from './split-status-operations.ts'
import { splitStatusSource } from './split-status-records.ts'

export function splitStatusHandlers({ storage }: HandlerOptions): Handlers<typeof splitStatusOperations, Caller> {
  const source = splitStatusSource(storage)
  return {
    listSplitStatus: (call) => listRecords(call, source),
    getSplitStatus: (call) =>
      showRecord(call, source, () =>
        storage.splits
          .statusOf(call.params.volume_uuid)
          .mapErr(toFailure)
          .andThen(ofSvm(call.caller.svm, 'volume.uuid')),
      ),
  }
}
