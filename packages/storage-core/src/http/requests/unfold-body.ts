import { MalformedBody, type ParsedBody, parseBody, type RequestBody } from '@trivium/http-contract'
import { err, ok, type Result } from 'neverthrow'
import { type Failure, failure } from '../errors/failure.ts'
import { failureReply } from '../errors/failure-reply.ts'
import { expandBody } from './expand-body.ts'
import { repeatedKey } from './repeated-key.ts'

const arrayFields: ReadonlySet<string> = new Set(['users'])

const decoder = new TextDecoder()

/**
 * Parses a body and expands its dotted names.
 *
 * @throws MalformedBody when it is not JSON or is nested too deeply
 */
export const unfoldBody = (body: RequestBody): ParsedBody =>
  unfold(body).match<ParsedBody>(
    (value) => ({ value }),
    (failure) => ({ reply: failureReply(failure) }),
  )

/**
 * Parses JSON and expands its dotted names.
 *
 * @throws MalformedBody when it is not JSON or is nested too deeply
 */
export function unfold(body: RequestBody): Result<unknown, Failure> {
  const value = parseBody(body, { integers: 'exact' })
  if (value === undefined) return ok(value)
  const repeated = body.kind === 'bytes' ? repeatedKey(decoder.decode(body.bytes)) : undefined
  return repeated === undefined ? expand(value) : err(repeatedField(repeated))
}

/**
 * Expands the dotted names of a parsed body.
 *
 * @throws MalformedBody when it is nested too deeply
 */
export const expand = (value: unknown): Result<unknown, Failure> =>
  expandBody(value, arrayFields).mapErr((error) => {
    switch (error.type) {
      case 'repeated-field':
        return repeatedField(error.field)
      case 'nested-too-deeply':
        throw new MalformedBody('it is nested too deeply')
      case 'invalid-text': {
        const { field } = error
        const message = `Field "${field}" must not contain a NUL or an unpaired surrogate.`
        return failure(400, 'invalidValue', message, field)
      }
    }
  })

export const repeatedField = (field: string): Failure =>
  failure(400, 'repeatedField', `Field "${field}" was specified twice.`, field)
