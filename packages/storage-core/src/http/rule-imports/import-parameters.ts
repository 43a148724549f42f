import { err, ok, type Result } from 'neverthrow'
import { parseBoolean } from '../../query/parse-value.ts'
import type { Named } from '../../volumes/find-volume.ts'
import { invalidParameter, parseParameters, unexpectedArgument } from '../collections/parameters.ts'
import type { Failure } from '../errors/failure.ts'
import { repeatedField } from '../requests/unfold-body.ts'

/** The parameters of an import, and the SVM and the volume of rules that name none. */
export interface ImportParameters {
  readonly dryRun: boolean
  readonly deleteMissing: boolean
  /** In seconds. */
  readonly returnTimeout: number
  /** The most records of a dry run. */
  readonly maxRecords: number
  readonly defaults: { readonly svm?: Named; readonly volume?: Named }
}

const DEFAULT_MAX_RECORDS = 1000

const flags = ['dry_run', 'delete_missing'] as const
const names = ['svm.name', 'svm.uuid', 'volume.name', 'volume.uuid'] as const

export function readImportParameters(rawQuery: string): Result<ImportParameters, Failure> {
  return parseParameters(rawQuery).andThen((parameters) => {
    const given = new Map<string, string>()
    for (const [name, value] of parameters.filters) {
      if (![...flags, ...names].some((known) => known === name)) {
        if (parameters.ignoreUnknownFields) continue
        return err(unexpectedArgument(name))
      }
      if (given.has(name)) return err(repeatedField(name))
      given.set(name, value)
    }
    for (const name of flags) {
      const text = given.get(name) || 'true'
      if (parseBoolean(text) === undefined) return err(invalidParameter(name, text))
    }
    const isSet = (name: (typeof flags)[number]) => given.has(name) && parseBoolean(given.get(name) || 'true') === true
    const named = (of: 'svm' | 'volume'): Named | undefined => {
      const [name, uuid] = [given.get(`${of}.name`), given.get(`${of}.uuid`)]
      if (name === undefined && uuid === undefined) return undefined
      return { ...(name !== undefined && { name }), ...(uuid !== undefined && { uuid }) }
    }
    const [svm, volume] = [named('svm'), named('volume')]
    return ok({
      dryRun: isSet('dry_run'),
      deleteMissing: isSet('delete_missing'),
      returnTimeout: parameters.returnTimeout,
      maxRecords: new URLSearchParams(rawQuery).has('max_records') ? parameters.maxRecords : DEFAULT_MAX_RECORDS,
      defaults: { ...(svm && { svm }), ...(volume && { volume }) },
    })
  })
}
