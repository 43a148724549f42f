import type { Handlers } from '@trivium/http-contract'
import type { Caller } from '../access/admission.ts'
import { failureAnswer, jsonAnswer } from '../collections/answers.ts'
import { listRecords, showRecord } from '../collections/list-records.ts'
import { toFailure } from '../errors/to-failure.ts'
import type { HandlerOptions } from '../handler-options.ts'
import { parseChange } from '../requests/change-request.ts'
import type { splitLoadOperations } from './split-load-operations.ts'
import { splitLoadSource } from './split-load-records.ts'

export function splitLoadHandlers({ storage }: HandlerOptions): Handlers<typeof splitLoadOperations, Caller> {
  const { nodes } = storage
  const source = splitLoadSource(storage)
  return {
    listSplitLoads: (call) => listRecords(call, source),
    getSplitLoad: (call) => showRecord(call, source, () => nodes.splitLoad(call.params.node_uuid).mapErr(toFailure)),
    updateSplitLoad: ({ rawQuery, caller, params, body }) =>
      parseChange(rawQuery)
        .asyncAndThen(() => nodes.setSplitLoadMaximum(params.node_uuid, body.load.maximum).mapErr(toFailure))
        .match(
          () => jsonAnswer(caller, 200, {}),
          (failure) => failureAnswer(caller, failure),
        ),
  }
}
