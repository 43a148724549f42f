import type { Handlers } from '@trivium/http-contract'
import type { Qtree } from '../../qtrees/qtree.ts'
import type { Caller } from '../access/caller.ts'
import { failureAnswer } from '../collections/answers.ts'
import { changeRecords } from '../collections/change-records.ts'
import { listRecords, showRecord } from '../collections/list-records.ts'
import { ifVisible } from '../collections/visible-records.ts'
import { notFound, toFailure } from '../errors/to-failure.ts'
import type { HandlerOptions } from '../handler-options.ts'
import { answerJob } from '../jobs/answer-job.ts'
import { parseChange, svmOf } from '../requests/change-request.ts'
import { pathNumber } from '../requests/path-number.ts'
import type { qtreeOperations } from './qtree-operations.ts'
import { QTREES_PATH, qtreePath, qtreeSource, qtreeToWire } from './qtree-records.ts'

export function qtreeHandlers({ storage }: HandlerOptions): Handlers<typeof qtreeOperations, Caller> {
  const { qtrees, jobs } = storage
  const source = qtreeSource(storage)
  const find = ({ volume_uuid: volume, id }: { volume_uuid: string; id: string }, caller: Caller) =>
    qtrees
      .find(volume, pathNumber(id))
      .mapErr(toFailure)
      .andThen(ifVisible(caller, source, notFound('id')))
  const remove = (qtree: Qtree) =>
    qtrees.delete(qtree.volume.uuid, qtree.id, { description: `DELETE ${qtreePath(qtree)}` }).mapErr(toFailure)
  return {
    listQtrees: (call) => listRecords(call, source),
    getQtree: (call) => showRecord(call, source, () => find(call.params, call.caller)),
    createQtree: async ({ rawQuery, caller, ending, body }) => {
      const parameters = parseChange(rawQuery)
      if (parameters.isErr()) return failureAnswer(caller, parameters.error)
      const svm = svmOf(body.svm, caller.svm)
      if (svm.isErr()) return failureAnswer(caller, svm.error)
      const request = {
        ...(svm.value && { svm: svm.value }),
        ...(body.volume && { volume: body.volume }),
        ...(caller.sight && { among: caller.sight.volumes }),
        ...(body.name !== undefined && { name: body.name }),
        ...settingsOf(body),
      }
      const created = await qtrees.create(request, { description: `POST ${QTREES_PATH}` })
      if (created.isErr()) return failureAnswer(caller, toFailure(created.error))
      const { qtree, job } = created.value
      const createdRecords = { records: [qtreeToWire(qtree, caller.links)], location: qtreePath(qtree) }
      return answerJob({
        jobs,
        caller,
        ending,
        job,
        returnTimeout: parameters.value.returnTimeout,
        done: 201,
        createdRecords,
      })
    },
    updateQtree: async ({ rawQuery, caller, ending, params, body }) => {
      const parameters = parseChange(rawQuery)
      if (parameters.isErr()) return failureAnswer(caller, parameters.error)
      const change = { ...(body.name !== undefined && { name: body.name }), ...settingsOf(body) }
      const changed = await find(params, caller).andThen((qtree) =>
        qtrees
          .update(qtree.volume.uuid, qtree.id, change, { description: `PATCH ${qtreePath(qtree)}` })
          .mapErr(toFailure),
      )
      if (changed.isErr()) return failureAnswer(caller, changed.error)
      const { returnTimeout } = parameters.value
      return answerJob({ jobs, caller, ending, job: changed.value.job, returnTimeout, done: 200 })
    },
    deleteQtree: async ({ rawQuery, caller, ending, params }) => {
      const parameters = parseChange(rawQuery)
      if (parameters.isErr()) return failureAnswer(caller, parameters.error)
      const deleted = await find(params, caller).andThen(remove)
      if (deleted.isErr()) return failureAnswer(caller, deleted.error)
      const { returnTimeout } = parameters.value
      return answerJob({ jobs, caller, ending, job: deleted.value.job, returnTimeout, done: 200 })
    },
    deleteQtrees: (call) =>
      changeRecords(call, {
        source,
        storage,
        change: (qtree) => remove(qtree).map(({ job }) => job),
      }),
  }
}

interface WireSettings {
  readonly security_style?: Qtree['securityStyle'] | undefined
  readonly unix_permissions?: number | undefined
  readonly export_policy?: { readonly name: string } | undefined
}

const settingsOf = ({ security_style, unix_permissions, export_policy }: WireSettings) => ({
  ...(security_style !== undefined && { securityStyle: security_style }),
  ...(unix_permissions !== undefined && { unixPermissions: unix_permissions }),
  ...(export_policy && { exportPolicy: export_policy.name }),
})
