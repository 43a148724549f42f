import type { Handlers } from '@trivium/http-contract'
import type { Caller } from '../access/caller.ts'
import { listRecords, showRecord } from '../collections/list-records.ts'
import { ifVisible } from '../collections/visible-records.ts'
import { notFound } from '../errors/to-failure.ts'
import type { HandlerOptions } from '../handler-options.ts'
import type { nodeOperations } from './node-operations.ts'
import { nodeSource } from './node-records.ts'

export function nodeHandlers({ storage }: HandlerOptions): Handlers<typeof nodeOperations, Caller> {
  const source = nodeSource(storage)
  return {
    listNodes: (call) => listRecords(call, source),
    getNode: (call) =>
      showRecord(call, source, () =>
        storage.nodes
          .find(call.params.uuid)
          .mapErr(() => notFound('uuid'))
          .andThen(ifVisible(call.caller, source, notFound('uuid'))),
      ),
  }
}
