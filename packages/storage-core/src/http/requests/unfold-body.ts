import { MalformedBody, type ParsedBody, parseBody, type RequestBody } from '@trivium/http-contract'
import { codes } from '../errors/error-codes.ts'
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
export function unfoldBody(body: RequestBody): ParsedBody {
  const value = parseBody(body, { integers: 'exact' })
  if (value === undefined) return { value }
  const repeated = body.kind === 'bytes' ? repeatedKey(decoder.decode(body.bytes)) : undefined
  if (repeated !== undefined) return refuseRepeated(repeated)
  return expandBody(value, arrayFields).match<ParsedBody>(
    (expanded) => ({ value: expanded }),
    (error) => {
      switch (error.type) {
        case 'repeated-field':
          return refuseRepeated(error.field)
        case 'nested-too-deeply':
          throw new MalformedBody('it is nested too deeply')
        case 'invalid-text': {
          const { field } = error
          return refuse(codes.invalidValue, `Field "${field}" must not contain a NUL or an unpaired surrogate.`, field)
        }
      }
    },
  )
}

const refuseRepeated = (field: string): ParsedBody =>
  refuse(codes.repeatedField, `Field "${field}" was specified twice.`, field)

const refuse = (code: number, message: string, target: string): ParsedBody => ({
  reply: failureReply({ status: 400, code, message, target }),
})
