import type { Handlers } from '@trivium/http-contract'
import { err } from 'neverthrow'
import type { Caller } from '../access/caller.ts'
import { asResult, listRecords, showRecord } from '../collections/list-records.ts'
import { ifVisible } from '../collections/visible-records.ts'
import { notFound } from '../errors/to-failure.ts'
import type { HandlerOptions } from '../handler-options.ts'
import type { svmOperations } from './svm-operations.ts'
import { svmSource } from './svm-records.ts'

export function svmHandlers({ storage }: HandlerOptions): Handlers<typeof svmOperations, Caller> {
  const source = svmSource(storage)
  return {
    listSvms: (call) => listRecords(call, source),
    getSvm: (call) =>
      showRecord(call, source, () =>
        asResult(storage.svms.list()).andThen((all) => {
          const found = all.find(({ uuid }) => uuid === call.params.uuid)
          return found ? ifVisible(call.caller, source, notFound('uuid'))(found) : err(notFound('uuid'))
        }),
      ),
  }
}
