import type { Handlers } from '@trivium/http-contract'
import type { Caller } from '../access/caller.ts'
import { failureAnswer } from '../collections/answers.ts'
import { codes } from '../errors/error-codes.ts'
import type { Failure } from '../errors/failure.ts'
import { toFailure } from '../errors/to-failure.ts'
import type { HandlerOptions } from '../handler-options.ts'
import { answerJob } from '../jobs/answer-job.ts'
import { parseChange, svmOf } from '../requests/change-request.ts'
import { FILE_CLONES_PATH, type fileCloneOperations } from './file-clone-operations.ts'

export function fileCloneHandlers({ storage }: HandlerOptions): Handlers<typeof fileCloneOperations, Caller> {
  const { fileClones, jobs } = storage
  return {
    createFileClone: async ({ rawQuery, caller, ending, body }) => {
      const parameters = parseChange(rawQuery)
      if (parameters.isErr()) return failureAnswer(caller, parameters.error)
      const refused = unsupported(body)
      if (refused) return failureAnswer(caller, refused)
      const svm = svmOf(body.svm, caller.svm)
      if (svm.isErr()) return failureAnswer(caller, svm.error)
      const { volume, source_path: source, destination_path: destination, range, split, token_uuid: token } = body
      const request = {
        ...(svm.value && { svm: svm.value }),
        ...(volume && { volume }),
        ...(caller.sight && { among: caller.sight.volumes }),
        source,
        destination,
        ...(range !== undefined && { ranges: typeof range === 'string' ? range.split(',') : range }),
        ...(body.overwrite_destination !== undefined && { overwrite: body.overwrite_destination }),
        ...(split !== undefined && { split }),
        ...(token !== undefined && { token }),
        ...(caller.sight && caller.userId !== undefined && { tokenOwnerId: caller.userId }),
      }
      const started = await fileClones.create(request, { description: `POST ${FILE_CLONES_PATH}` })
      if (started.isErr()) return failureAnswer(caller, toFailure(started.error))
      const { returnTimeout } = parameters.value
      return answerJob({ jobs, caller, ending, job: started.value, returnTimeout, done: 201 })
    },
  }
}

interface CloneFlags {
  readonly range?: readonly string[] | string | undefined
  readonly is_backup?: boolean | undefined
  readonly autodelete?: boolean | undefined
}

/** Refuses flags that have no effect here, instead of ignoring them. */
function unsupported({ range, is_backup: isBackup, autodelete }: CloneFlags): Failure | undefined {
  if (isBackup && range !== undefined && range.length > 0) {
    const message = 'A clone of a part of a file cannot be a backup.'
    return { status: 400, code: codes.partialCloneNoBackup, message, target: 'is_backup' }
  }
  const name = isBackup ? 'is_backup' : autodelete ? 'autodelete' : undefined
  if (name === undefined) return undefined
  return {
    status: 400,
    code: codes.cloneFailed,
    message: `Clone start failed: ${name} is not supported.`,
    target: name,
  }
}
