import type { Handlers } from '@trivium/http-contract'
import { err, ok } from 'neverthrow'
import type { Caller } from '../access/admission.ts'
import { asResult, listRecords, showRecord } from '../collections/list-records.ts'
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
          const { svm: chosen } = call.caller
          const found = all.find(({ uuid }) => uuid === call.params.uuid && (!chosen || chosen.uuid === uuid))
          return found ? ok(found) : err(notFound('uuid'))
        }),
      ),
  }
}
