import type { Handlers } from '@trivium/http-contract'
import type { Qtree } from '../../qtrees/qtree.ts'
import type { RequestContext } from '../access/admission.ts'
import { failureAnswer } from '../collections/answers.ts'
import { changeRecords } from '../collections/change-records.ts'
import { listRecords, showRecord } from '../collections/list-records.ts'
import { toFailure } from '../errors/domain-failures.ts'
import type { HandlerOptions } from '../handler-options.ts'
import { answerJob } from '../jobs/answer-job.ts'
import { ofSvm, parseChange, svmOf } from '../requests/change-request.ts'
import { pathNumber } from '../requests/path-number.ts'
import type { qtreeOperations } from './qtree-operations.ts'
import { qtreePath, qtreeSource, qtreeToWire } from './qtree-records.ts'

export function qtreeHandlers({ storage }: HandlerOptions): Handlers<typeof qtreeOperations, RequestContext> {
  const { qtrees, jobs } = storage
  const source = qtreeSource(storage)
  const find = ({ volume_uuid: volume, id }: { volume_uuid: string; id: string }, { svm }: RequestContext) =>
    qtrees.find(volume, pathNumber(id)).mapErr(toFailure).andThen(ofSvm(svm, 'id'))
  return {
    listQtrees: (call) => listRecords(call, source),
    getQtree: (call) => showRecord(call, source, () => find(call.params, call.context)),
    createQtree: async ({ rawQuery, context, signal, body }) => {
      const parameters = parseChange(rawQuery)
      if (parameters.isErr()) return failureAnswer(context, parameters.error)
      const svm = svmOf(body.svm, context.svm)
      if (svm.isErr()) return failureAnswer(context, svm.error)
      const created = await qtrees.create({
        ...(svm.value && { svm: svm.value }),
        ...(body.volume && { volume: body.volume }),
        ...(body.name !== undefined && { name: body.name }),
        ...settingsOf(body),
      })
      if (created.isErr()) return failureAnswer(context, toFailure(created.error))
      const { qtree, job } = created.value
      const made = { records: [qtreeToWire(qtree, context.links)], location: qtreePath(qtree) }
      return answerJob({ jobs, context, signal, job, returnTimeout: parameters.value.returnTimeout, done: 201, made })
    },
    updateQtree: async ({ rawQuery, context, signal, params, body }) => {
      const parameters = parseChange(rawQuery)
      if (parameters.isErr()) return failureAnswer(context, parameters.error)
      const change = { ...(body.name !== undefined && { name: body.name }), ...settingsOf(body) }
      const changed = await find(params, context).andThen(({ volume, id }) =>
        qtrees.update(volume.uuid, id, change).mapErr(toFailure),
      )
      if (changed.isErr()) return failureAnswer(context, changed.error)
      const { returnTimeout } = parameters.value
      return answerJob({ jobs, context, signal, job: changed.value.job, returnTimeout, done: 200 })
    },
    deleteQtree: async ({ rawQuery, context, signal, params }) => {
      const parameters = parseChange(rawQuery)
      if (parameters.isErr()) return failureAnswer(context, parameters.error)
      const deleted = await find(params, context).andThen(({ volume, id }) =>
        qtrees.delete(volume.uuid, id).mapErr(toFailure),
      )
      if (deleted.isErr()) return failureAnswer(context, deleted.error)
      const { returnTimeout } = parameters.value
      return answerJob({ jobs, context, signal, job: deleted.value.job, returnTimeout, done: 200 })
    },
    deleteQtrees: (call) =>
      changeRecords(call, {
        source,
        storage,
        change: ({ volume, id }) =>
          qtrees
            .delete(volume.uuid, id)
            .map(({ job }) => job)
            .mapErr(toFailure),
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
