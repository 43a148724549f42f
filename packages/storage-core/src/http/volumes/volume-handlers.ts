import type { Handlers } from '@trivium/http-contract'
import type { RequestContext } from '../access/admission.ts'
import { failureAnswer } from '../collections/answers.ts'
import { changeRecords } from '../collections/change-records.ts'
import { listRecords, showRecord } from '../collections/list-records.ts'
import { toFailure } from '../errors/domain-failures.ts'
import type { HandlerOptions } from '../handler-options.ts'
import { answerJob } from '../jobs/answer-job.ts'
import { ofSvm, parseChange } from '../requests/change-request.ts'
import type { volumeOperations } from './volume-operations.ts'
import { volumeSource } from './volume-records.ts'

export function volumeHandlers({ storage }: HandlerOptions): Handlers<typeof volumeOperations, RequestContext> {
  const { volumes, jobs } = storage
  const source = volumeSource(storage)
  const find = (uuid: string, { svm }: RequestContext) => volumes.find(uuid).mapErr(toFailure).andThen(ofSvm(svm))
  return {
    listVolumes: (call) => listRecords(call, source),
    getVolume: (call) => showRecord(call, source, () => find(call.params.uuid, call.context)),
    updateVolume: async ({ rawQuery, context, signal, params: { uuid }, body }) => {
      const parameters = parseChange(rawQuery)
      if (parameters.isErr()) return failureAnswer(context, parameters.error)
      const changed = await find(uuid, context).andThen(() =>
        volumes.setQuota(uuid, body.quota.enabled).mapErr(toFailure),
      )
      if (changed.isErr()) return failureAnswer(context, changed.error)
      return answerJob({
        jobs,
        context,
        signal,
        job: changed.value,
        returnTimeout: parameters.value.returnTimeout,
        done: 200,
      })
    },
    updateVolumes: (call) =>
      changeRecords(call, {
        source,
        storage,
        change: ({ uuid }) => volumes.setQuota(uuid, call.body.quota.enabled).mapErr(toFailure),
      }),
  }
}
