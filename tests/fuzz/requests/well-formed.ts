import type { OpenApiParameter } from '@trivium/http-contract/openapi'
import fc from 'fast-check'
import { fromUtf8 } from '../fuzz-request.ts'
import { HANDSHAKE, hostileFrames } from './hostile-frames.ts'
import type { OperationModel } from './operation-model.ts'
import { encodeText, type RequestParts } from './request-parts.ts'
import type { schemaValues } from './schema-values.ts'

export interface WellFormedOptions {
  readonly schemas: ReturnType<typeof schemaValues>
  readonly authorizations: readonly string[]
}

/** Makes requests that are valid by the description of the operation. */
export function wellFormed(
  { id, method, path, parameters, body, isSocket }: OperationModel,
  { schemas, authorizations }: WellFormedOptions,
): fc.Arbitrary<RequestParts & { readonly value: unknown }> {
  const place = (wanted: OpenApiParameter['in']) => parameters.filter((parameter) => parameter.in === wanted)
  const params = fc.record(
    Object.fromEntries(place('path').map(({ name, schema }) => [name, schemas.from(schema, dotted(path, name))])),
  )
  const optional = <Made>({ required }: OpenApiParameter, made: fc.Arbitrary<Made>, chance: number) =>
    required ? made : fc.option(made, { nil: undefined, freq: chance })
  const chance = Math.max(0, Math.ceil(place('query').length / 3) - 1)
  const query = place('query').map((parameter) =>
    // A request has about three optional parameters, independent of their number.
    fc
      .tuple(fc.nat(chance), schemas.from(parameter.schema, parameter.name))
      .map(([draw, value]) => (parameter.required || draw === 0 ? pairs(parameter.name, value) : [])),
  )
  const headers = place('header').map((parameter) =>
    optional(parameter, schemas.from(parameter.schema, parameter.name), 2).map(
      (value): (readonly [string, string])[] =>
        value === undefined ? [] : [[parameter.name, fromUtf8(String(value))]],
    ),
  )
  const value = body ? schemas.from(body.schema, `${operationName(id)}.body`) : fc.constant(undefined)
  const frames = isSocket ? hostileFrames : fc.constant(undefined)
  const accept = fc.option(fc.constantFrom('*/*', 'application/json', 'text/event-stream'), { freq: 3, nil: undefined })
  const plain = fc.boolean()
  return fc
    .record({
      params,
      plain,
      query: fc.tuple(...query),
      headers: fc.tuple(...headers),
      authorization: fc.constantFrom(...authorizations),
      accept,
      value,
      frames,
    })
    .map((made) => ({
      operation: id,
      method,
      segments: path
        .slice(1)
        .split('/')
        .map((segment) => segment.replace(/^\{(\w+)\}$/, (_, name: string) => encodeText(String(made.params[name])))),
      query: made.plain ? [] : made.query.flat(),
      headers: [
        ['authorization', made.authorization],
        ...(made.accept === undefined ? [] : [['accept', made.accept] as const]),
        ...(made.value === undefined ? [] : [['content-type', 'application/json'] as const]),
        ...made.headers.flat(),
        ...(isSocket ? HANDSHAKE : []),
      ],
      body: made.value === undefined ? undefined : fromUtf8(JSON.stringify(made.value)),
      frames: made.frames,
      value: made.value,
    }))
}

/** Returns the id without the number that an operation has when it is mounted more than once. */
export const operationName = (id: string): string => id.replace(/^(.*Emu\d|.*[a-z](?<!Emu))\d+$/, '$1')

/** Returns the literal segments before a parameter, and its name: its meaning depends on its place. */
function dotted(path: string, name: string): string {
  const before = path.slice(1, path.indexOf(`{${name}}`)).split('/')
  return [...before.filter((segment) => segment !== '' && !segment.startsWith('{')), name].join('.')
}

/** Encodes a parameter: a list once for each item, an object as its members. */
function pairs(name: string, value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => pairs(name, item))
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).map(([key, item]) => `${encodeText(key)}=${encodeText(asText(item))}`)
  }
  return [`${encodeText(name)}=${encodeText(String(value))}`]
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
