import type { Handlers } from '@trivium/http-contract'
import type { Caller } from '../access/caller.ts'
import { listRecords, showRecord } from '../collections/list-records.ts'
import { ifVisible } from '../collections/visible-records.ts'
import { notFound, toFailure } from '../errors/to-failure.ts'
import type { HandlerOptions } from '../handler-options.ts'
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
          .andThen(ifVisible(call.caller, source, notFound('volume.uuid'))),
      ),
  }
}
