import type { OpenApiDocument, OpenApiResponse } from '@trivium/http-contract/openapi'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { FuzzReply } from './fuzz-reply.ts'
import type { Reached } from './watched-routes.ts'

/** @returns short descriptions of what is wrong with an answer; empty if it is as declared */
export type ReplyCheck = (reached: Reached, method: string, reply: FuzzReply) => readonly string[]

const DOCUMENT = 'document'

/** The status of success, and those of the WebSocket library for an invalid handshake. */
const HANDSHAKE_STATUSES: ReadonlySet<number> = new Set([101, 400, 405, 426])

export function replyCheck(document: OpenApiDocument): ReplyCheck {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false })
  ajv.addSchema(document, DOCUMENT)
  const validators = new Map<string, ValidateFunction>()

  const validatorOf = (...pointer: readonly string[]): ValidateFunction => {
    const reference = `${DOCUMENT}#/${pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`
    const known = validators.get(reference) ?? ajv.compile({ $ref: reference })
    validators.set(reference, known)
    return known
  }

  const checkValue = (validate: ValidateFunction, text: string): readonly string[] => {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return ['is not JSON']
    }
    if (validate(value)) return []
    const [error] = validate.errors ?? []
    return [`does not match its schema at ${error?.instancePath || 'the root'}: ${error?.message}`]
  }

  const checkBody = (
    pointer: readonly string[],
    { content }: OpenApiResponse,
    { headers, body, cut }: FuzzReply,
  ): readonly string[] => {
    const type = headers['content-type']
    if (!content) return body === '' ? [] : ['has a body where none is declared']
    const declared = declaredType(content, type)
    if (declared === undefined) return [`has the undeclared type '${type}'`]
    if (!content[declared]?.schema) return []
    const validate = validatorOf(...pointer, 'content', declared, 'schema')
    const text = Buffer.from(body, 'latin1').toString('utf8')
    if (declared === 'text/event-stream') return eventsOf(text).flatMap((event) => checkValue(validate, event))
    if (declared === 'application/x-ndjson') return linesOf(text).flatMap((line) => checkValue(validate, line))
    return cut ? [] : checkValue(validate, text)
  }

  return ({ method: declaredMethod, path, as }, method, reply) => {
    const { status, headers, body } = reply
    if (as === 'handshake') return HANDSHAKE_STATUSES.has(status) ? [] : [`is a handshake with ${status}`]
    const verb = declaredMethod.toLowerCase()
    if (as === 'description')
      return status < 300 && headers.allow !== undefined ? [] : [`describes itself by ${status}`]
    const wrong = method === 'HEAD' && body !== '' ? ['has a body for HEAD'] : []
    if (as === 'refused-method' && (status !== 405 || headers.allow === undefined)) wrong.push('refuses a method badly')
    const declared = document.paths[path]?.[verb]?.responses[status]
    if (!declared) return [...wrong, 'has an undeclared status']
    if (method === 'HEAD') return wrong
    const pointer = ['paths', path, verb, 'responses', String(status)]
    return [...wrong, ...checkBody(pointer, declared, reply)]
  }
}

/** Finds the declared type of an answer. A type with the suffix `+json` counts as JSON. */
function declaredType(content: NonNullable<OpenApiResponse['content']>, type = ''): string | undefined {
  const plain = (name: string) => name.split(';')[0]?.trim().toLowerCase() ?? ''
  const given = plain(type).replace(/^application\/\w+\+json$/, 'application/json')
  return Object.keys(content).find((name) => plain(name) === given)
}

const eventsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^data: ?(.*)$/gm)].map(([, data = '']) => data).filter((data) => data !== '[DONE]')

/** Returns the lines without the last one, which can be incomplete. */
const linesOf = (text: string): readonly string[] => text.split('\n').slice(0, -1)
