import type { Handlers } from '@trivium/http-contract'
import type { Volume } from '../../volumes/volume.ts'
import type { Caller } from '../access/caller.ts'
import { failureAnswer } from '../collections/answers.ts'
import { changeRecords } from '../collections/change-records.ts'
import { listRecords, showRecord } from '../collections/list-records.ts'
import { ifVisible } from '../collections/visible-records.ts'
import { notFound, toFailure } from '../errors/to-failure.ts'
import type { HandlerOptions } from '../handler-options.ts'
import { answerJob } from '../jobs/answer-job.ts'
import { parseChange } from '../requests/change-request.ts'
import type { volumeOperations } from './volume-operations.ts'
import { volumePath, volumeSource } from './volume-records.ts'

export function volumeHandlers({ storage }: HandlerOptions): Handlers<typeof volumeOperations, Caller> {
  const { volumes, jobs } = storage
  const source = volumeSource(storage)
  const find = (uuid: string, caller: Caller) =>
    volumes
      .find(uuid)
      .mapErr(toFailure)
      .andThen(ifVisible(caller, source, notFound('uuid')))
  const setQuota = (volume: Volume, enabled: boolean) =>
    volumes.setQuota(volume.uuid, enabled, { description: `PATCH ${volumePath(volume)}` }).mapErr(toFailure)
  return {
    listVolumes: (call) => listRecords(call, source),
    getVolume: (call) => showRecord(call, source, () => find(call.params.uuid, call.caller)),
    updateVolume: async ({ rawQuery, caller, ending, params: { uuid }, body }) => {
      const parameters = parseChange(rawQuery)
      if (parameters.isErr()) return failureAnswer(caller, parameters.error)
      const changed = await find(uuid, caller).andThen((volume) => setQuota(volume, body.quota.enabled))
      if (changed.isErr()) return failureAnswer(caller, changed.error)
      return answerJob({
        jobs,
        caller,
        ending,
        job: changed.value,
        returnTimeout: parameters.value.returnTimeout,
        done: 200,
      })
    },
    updateVolumes: (call) =>
      changeRecords(call, {
        source,
        storage,
        change: (volume) => setQuota(volume, call.body.quota.enabled),
      }),
  }
}
