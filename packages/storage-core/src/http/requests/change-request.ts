import { err, ok, type Result } from 'neverthrow'
import type { Svm } from '../../svms/svm.ts'
import type { Named } from '../../volumes/find-volume.ts'
import {
  type Parameters,
  type ParametersOptions,
  parseParameters,
  unexpectedArgument,
} from '../collections/parameters.ts'
import type { Failure } from '../errors/failure.ts'
import { toFailure } from '../errors/to-failure.ts'

/** Parses the parameters of a request that creates or changes one record, and refuses filters. */
export const parseChange = (rawQuery: string, options?: ParametersOptions): Result<Parameters, Failure> =>
  parseParameters(rawQuery, options).andThen((parameters) => {
    const [name] = parameters.filters[0] ?? []
    return name === undefined || parameters.ignoreUnknownFields ? ok(parameters) : err(unexpectedArgument(name))
  })

/** Returns the SVM of the body or of the header. Refuses two different SVMs. */
export function svmOf(named: Named | undefined, chosen: Svm | undefined): Result<Named | undefined, Failure> {
  if (!chosen || !named || (named.uuid === undefined && named.name === undefined)) return ok(chosen ?? named)
  const { uuid = chosen.uuid, name = chosen.name } = named
  if (uuid === chosen.uuid && name === chosen.name) return ok(chosen)
  return err(toFailure({ type: 'svm-mismatch', uuid: chosen.uuid, name: named.name ?? named.uuid ?? '' }))
}
