import type { Handlers } from '@trivium/http-contract'
import type { Caller } from '../access/caller.ts'
import { failureAnswer, jsonAnswer } from '../collections/answers.ts'
import { listRecords, showRecord } from '../collections/list-records.ts'
import { invalidParameter } from '../collections/parameters.ts'
import { ifVisible } from '../collections/visible-records.ts'
import { codes } from '../errors/error-codes.ts'
import { notFound, toFailure } from '../errors/to-failure.ts'
import type { HandlerOptions } from '../handler-options.ts'
import { parseChange } from '../requests/change-request.ts'
import type { jobOperations } from './job-operations.ts'
import { jobSource } from './job-records.ts'

export function jobHandlers({ storage }: HandlerOptions): Handlers<typeof jobOperations, Caller> {
  const { jobs } = storage
  const source = jobSource(storage)
  const find = (uuid: string, caller: Caller) =>
    jobs
      .find(uuid)
      .mapErr(toFailure)
      .andThen(ifVisible(caller, source, notFound('uuid')))
  return {
    listJobs: (call) => listRecords(call, source),
    getJob: (call) => showRecord(call, source, () => find(call.params.uuid, call.caller)),
    updateJob: async ({ rawQuery, caller, params: { uuid }, body }) => {
      const parameters = parseChange(rawQuery, { hasAction: true })
      if (parameters.isErr()) return failureAnswer(caller, parameters.error)
      const action = parameters.value.action ?? body?.action
      if (action === undefined) return failureAnswer(caller, actionMissing)
      if (action !== 'pause' && action !== 'resume' && action !== 'cancel') {
        return failureAnswer(caller, invalidParameter('action', action))
      }
      return find(uuid, caller)
        .andThen(() => jobs[action](uuid).mapErr(toFailure))
        .match(
          () => jsonAnswer(caller, 200, {}),
          (failure) => failureAnswer(caller, failure),
        )
    },
  }
}

const actionMissing = {
  status: 400,
  code: codes.missingValue,
  message: 'Missing value for field "action": pause, resume or cancel is expected.',
  target: 'action',
} as const
