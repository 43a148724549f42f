import type { Handlers } from '@trivium/http-contract'
import type { Caller } from '../access/caller.ts'
import { failureAnswer, jsonAnswer } from '../collections/answers.ts'
import { listRecords, showRecord } from '../collections/list-records.ts'
import { ifVisible } from '../collections/visible-records.ts'
import { toFailure } from '../errors/to-failure.ts'
import type { HandlerOptions } from '../handler-options.ts'
import { parseChange } from '../requests/change-request.ts'
import type { splitLoadOperations } from './split-load-operations.ts'
import { splitLoadSource } from './split-load-records.ts'

export function splitLoadHandlers({ storage }: HandlerOptions): Handlers<typeof splitLoadOperations, Caller> {
  const { nodes } = storage
  const source = splitLoadSource(storage)
  const find = (node: string, caller: Caller) =>
    nodes
      .splitLoad(node)
      .mapErr(toFailure)
      .andThen(ifVisible(caller, source, toFailure({ type: 'node-not-found', node })))
  return {
    listSplitLoads: (call) => listRecords(call, source),
    getSplitLoad: (call) => showRecord(call, source, () => find(call.params.node_uuid, call.caller)),
    updateSplitLoad: ({ rawQuery, caller, params, body }) =>
      parseChange(rawQuery)
        .asyncAndThen(() => find(params.node_uuid, caller))
        .andThen(() => nodes.setSplitLoadMaximum(params.node_uuid, body.load.maximum).mapErr(toFailure))
        .match(
          () => jsonAnswer(caller, 200, {}),
          (failure) => failureAnswer(caller, failure),
        ),
  }
}
