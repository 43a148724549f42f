import type { Handlers } from '@trivium/http-contract'
import { errAsync } from 'neverthrow'
import type { Volume } from '../../volumes/volume.ts'
import type { Caller } from '../access/caller.ts'
import { failureAnswer } from '../collections/answers.ts'
import { changeRecords } from '../collections/change-records.ts'
import { listRecords, showRecord } from '../collections/list-records.ts'
import { ifVisible } from '../collections/visible-records.ts'
import { failure } from '../errors/failure.ts'
import { notFound, toFailure } from '../errors/to-failure.ts'
import type { HandlerOptions } from '../handler-options.ts'
import { answerJob } from '../jobs/answer-job.ts'
import { parseChange, svmOf } from '../requests/change-request.ts'
import type { VolumePatch, volumeOperations } from './volume-operations.ts'
import { VOLUMES_PATH, volumePath, volumeSource } from './volume-records.ts'

export function volumeHandlers({ storage }: HandlerOptions): Handlers<typeof volumeOperations, Caller> {
  const { volumes, clonedVolumes, jobs } = storage
  const source = volumeSource(storage)
  const find = (uuid: string, caller: Caller) =>
    volumes
      .find(uuid)
      .mapErr(toFailure)
      .andThen(ifVisible(caller, source, notFound('uuid')))
  /** Sets the grace period first, so that it applies from when quotas are on. */
  const update = (volume: Volume, { enabled, grace_period }: VolumePatch['quota']) => {
    const label = { description: `PATCH ${volumePath(volume)}` }
    const setQuota = (isOn: boolean) => volumes.setQuota(volume.uuid, isOn, label)
    if (grace_period === undefined)
      return enabled === undefined ? errAsync(nothingToSet) : setQuota(enabled).mapErr(toFailure)
    const period = volumes.setGracePeriod(volume.uuid, grace_period, label)
    return (enabled === undefined ? period : period.andThen(() => setQuota(enabled))).mapErr(toFailure)
  }
  return {
    listVolumes: (call) => listRecords(call, source),
    getVolume: (call) => showRecord(call, source, () => find(call.params.uuid, call.caller)),
    createVolume: async ({ rawQuery, caller, ending, body: { name, svm: named, clone } }) => {
      const parameters = parseChange(rawQuery)
      if (parameters.isErr()) return failureAnswer(caller, parameters.error)
      const svm = svmOf(named ?? clone.parent_svm, caller.svm)
      if (svm.isErr()) return failureAnswer(caller, svm.error)
      const request = {
        name,
        ...(svm.value && { svm: svm.value }),
        parent: clone.parent_volume,
        ...(clone.parent_svm && { parentSvm: clone.parent_svm }),
        ...(caller.sight && { among: caller.sight.volumes }),
      }
      const created = await clonedVolumes.create(request, { description: `POST ${VOLUMES_PATH}` })
      if (created.isErr()) return failureAnswer(caller, toFailure(created.error))
      const { volume, job } = created.value
      const record = { uuid: volume.uuid, name: volume.name, svm: volume.svm }
      const createdRecords = { records: [record], location: volumePath(volume) }
      const { returnTimeout } = parameters.value
      return answerJob({ jobs, caller, ending, job, returnTimeout, done: 201, createdRecords })
    },
    deleteVolume: async ({ rawQuery, caller, ending, params: { uuid } }) => {
      const parameters = parseChange(rawQuery)
      if (parameters.isErr()) return failureAnswer(caller, parameters.error)
      const deleted = await find(uuid, caller).andThen((volume) =>
        clonedVolumes.delete(volume.uuid, { description: `DELETE ${volumePath(volume)}` }).mapErr(toFailure),
      )
      if (deleted.isErr()) return failureAnswer(caller, deleted.error)
      const { returnTimeout } = parameters.value
      return answerJob({ jobs, caller, ending, job: deleted.value.job, returnTimeout, done: 200 })
    },
    updateVolume: async ({ rawQuery, caller, ending, params: { uuid }, body }) => {
      const parameters = parseChange(rawQuery)
      if (parameters.isErr()) return failureAnswer(caller, parameters.error)
      const changed = await find(uuid, caller).andThen((volume) => update(volume, body.quota))
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
        change: (volume) => update(volume, call.body.quota),
      }),
  }
}

const nothingToSet = failure(400, 'missingValue', 'Missing value for field "quota.enabled".', 'quota.enabled')
