import type { Handlers } from '@trivium/http-contract'
import type { Caller } from '../access/caller.ts'
import { failureAnswer, jsonAnswer } from '../collections/answers.ts'
import { listRecords, showRecord } from '../collections/list-records.ts'
import { ifVisible } from '../collections/visible-records.ts'
import { codes } from '../errors/error-codes.ts'
import { notFound, toFailure } from '../errors/to-failure.ts'
import type { HandlerOptions } from '../handler-options.ts'
import { parseChange, svmOf } from '../requests/change-request.ts'
import type { splitOperations } from './split-operations.ts'
import { splitPath, splitSource } from './split-records.ts'

export function splitHandlers({ storage }: HandlerOptions): Handlers<typeof splitOperations, Caller> {
  const { splits } = storage
  const find = (uuid: string, caller: Caller) =>
    splits
      .find(uuid)
      .mapErr(toFailure)
      .andThen(ifVisible(caller, splitSource(storage), notFound('uuid')))
  return {
    listSplits: (call) => listRecords(call, splitSource(storage)),
    getSplit: (call) => showRecord(call, splitSource(storage), () => find(call.params.uuid, call.caller)),
    createSplit: async ({ rawQuery, caller, body }) => {
      const parameters = parseChange(rawQuery)
      if (parameters.isErr()) return failureAnswer(caller, parameters.error)
      const svm = svmOf(body.svm, caller.svm)
      if (svm.isErr()) return failureAnswer(caller, svm.error)
      const { volume, path, token_uuid: token } = body
      const requested = await splits.request({
        ...(svm.value && { svm: svm.value }),
        ...(volume && { volume }),
        ...(caller.sight && { among: caller.sight.volumes }),
        path,
        ...(token !== undefined && { token }),
        ...(caller.sight && caller.userId !== undefined && { tokenOwnerId: caller.userId }),
      })
      if (requested.isErr()) return failureAnswer(caller, toFailure(requested.error))
      const split = requested.value
      if (!split) return jsonAnswer(caller, 200, { num_records: 0, records: [] })
      const record = await splitSource(storage).toWire(split, caller, 'everything')
      const location = `${caller.mountPath}${splitPath(split)}`
      return jsonAnswer(caller, 201, { num_records: 1, records: [record] }, { headers: { location } })
    },
    updateSplit: async ({ rawQuery, caller, params: { uuid }, body: { state, order } }) => {
      const parameters = parseChange(rawQuery)
      if (parameters.isErr()) return failureAnswer(caller, parameters.error)
      if (state === undefined && order === undefined) return failureAnswer(caller, changeMissing)
      const change = { ...(state !== undefined && { state }), ...(order !== undefined && { order }) }
      return find(uuid, caller)
        .andThen(() => splits.change(uuid, change).mapErr(toFailure))
        .match(
          () => jsonAnswer(caller, 200, {}),
          (failure) => failureAnswer(caller, failure),
        )
    },
    deleteSplit: ({ rawQuery, caller, params: { uuid } }) =>
      parseChange(rawQuery)
        .asyncAndThen(() => find(uuid, caller))
        .andThen(() => splits.cancel(uuid).mapErr(toFailure))
        .match(
          () => jsonAnswer(caller, 200, {}),
          (failure) => failureAnswer(caller, failure),
        ),
  }
}

const changeMissing = {
  status: 400,
  code: codes.missingValue,
  message: 'Missing value for field "state" or "order".',
  target: 'state',
} as const
