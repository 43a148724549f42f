import type { OpenApiDocument } from '@trivium/http-contract/openapi'
import fc from 'fast-check'
import type { OperationModel } from '../fuzz/requests/operation-model.ts'
import { type Schema, schemaValues } from '../fuzz/requests/schema-values.ts'
import { operationName } from '../fuzz/requests/well-formed.ts'

/** A body as large as its operation accepts, in bytes or in values, and a name for its large part. */
export interface HeavyBody {
  readonly shape: string
  readonly bytes: () => Uint8Array<ArrayBuffer>
}

export interface BodyLimits {
  readonly bytes: number
  /** The limit of values, as `bodyValues` of an operation. */
  readonly values: number
}

/** Marks the place of the large part. */
const MARK = '@@heavy@@'
const MAX_DEPTH = 5
const SEED = 15

/** Fillers for the place of any value. `open` and `close` surround the repeated part. */
const fillers: readonly Filler[] = [
  ['a long string', '"', 'a', '"'],
  ['a string of escapes', '"', '\\u0061', '"'],
  ['a string of halves of characters', '"', '\\ud800', '"'],
  ['a string of spaces', '"', ' ', '"'],
  ['a string of wide characters', '"', '\u00e9', '"'],
  ['a long number', '1', '1', ''],
  ['a list of numbers', '[0', ',0', ']'],
  ['a list of empty objects', '[{}', ',{}', ']'],
  ['a list of lists', '[[]', ',[]', ']'],
  ['a list of strings', '[""', ',""', ']'],
  ['a deep list', '', '[', ''],
  ['a deep object', '', '{"a":', ''],
  ['many unknown fields', '{"0":0', (index) => `,"k${index}":0`, '}'],
  ['many unknown fields with objects', '{"0":0', (index) => `,"k${index}":{}`, '}'],
  ['many dotted fields', '{"0":0', (index) => `,"a.b${index}.c":0`, '}'],
  ['one field many times', '{"a":0', ',"a":0', '}'],
  ['a long key', '{"', 'k', '":0}'],
  ['a long dotted key', '{"k', '.k', '":0}'],
  ['many prototypes', '{"__proto__":0', ',"__proto__":{}', '}'],
  ['many indexes', '{"0":0', (index) => `,"${index}":0`, '}'],
  ['many large numbers', '{"0":0', (index) => `,"${4294967296 + index * 65536}":0`, '}'],
  ['many fields with escapes', '{"0":0', (index) => `,"\\u006b${index}":0`, '}'],
  ['many long fields', '{"0":0', (index) => `,"${index}${'k'.repeat(40)}":0`, '}'],
]

type Filler = readonly [name: string, open: string, repeated: string | ((index: number) => string), close: string]

/** Fillers for the fields of a body. The others behave differently at the top only. */
const fieldFillers: readonly Filler[] = fillers.filter(([name]) =>
  [
    'a long string',
    'a long number',
    'a list of empty objects',
    'a deep list',
    'many unknown fields',
    'many large numbers',
  ].includes(name),
)

const textFillers: readonly Filler[] = fillers.filter(([name]) => /^a (?:long string|string)/.test(name))

/** Returns a whole body with the value at its place. */
type Whole = (value: unknown) => unknown

interface Place {
  readonly schema: Schema
  readonly path: readonly string[]
  readonly whole: Whole
}

/** Returns bodies of an operation in which each place is filled up to each limit, with valid, invalid and malformed content. */
export function heavyBodies(
  document: OpenApiDocument,
  values: Readonly<Record<string, readonly unknown[]>>,
  { id, body }: OperationModel,
  limits: BodyLimits,
): readonly HeavyBody[] {
  if (!body) return []
  const schemas = schemaValues({ document, values })
  const samples = (schema: Schema | boolean, path: string, count: number) =>
    fc.sample(schemas.from(schema, path), { seed: SEED, numRuns: count })
  const [base] = samples(body.schema, `${operationName(id)}.body`, 1)
  const whole: Whole = (value) => (isRecord(value) ? { ...record(base), ...value } : value)
  const places = placesIn(document, body.schema, (schema, path) => samples(schema, path, 1)[0])
  const bodies = new Map<string, HeavyBody>()
  const add = (place: string, [name, open, repeated, close]: Filler, marked: unknown) => {
    const shape = `${name} at ${place || 'the top'}`
    const text = JSON.stringify(marked)
    const filler: Filler = [name, open, repeated, close]
    bodies.set(shape, { shape, bytes: () => filled(text, filler, limits.bytes) })
    const maxRepetitions = repetitions(text, filler, limits)
    // A body with more values is refused before its check.
    if (maxRepetitions !== undefined) {
      const counted = `${shape}, as many as are accepted`
      bodies.set(counted, { shape: counted, bytes: () => filled(text, filler, limits.bytes, maxRepetitions) })
    }
  }
  for (const filler of fillers) add('', filler, MARK)
  for (const { schema, path, whole: inside } of places(whole)) {
    const place = path.join('.')
    const marked = inside(MARK)
    if (path.length === 1) for (const filler of fieldFillers) add(place, filler, marked)
    if (schema.type === 'string') for (const filler of textFillers) add(place, filler, marked)
    if (schema.type === 'object') add(place, withUnknownFields(samples(schema, place, 1)[0]), marked)
    if (schema.type === 'array' && schema.items && !Array.isArray(schema.items)) {
      for (const element of [0, 'x', { role: 1 }, ...samples(schema.items, place, 12)]) {
        add(place, manyOf(element), marked)
      }
    }
  }
  return [...bodies.values()]
}

/** Returns a filler with unknown fields after the valid ones. */
const withUnknownFields = (own: unknown): Filler => [
  'many more fields',
  JSON.stringify({ ...record(own), last: 0 }).slice(0, -1),
  (index) => `,"k${index}":0`,
  '}',
]

function manyOf(element: unknown): Filler {
  const text = JSON.stringify(element) ?? '0'
  return [`many of ${text.slice(0, 200)}`, `[${text}`, `,${text}`, ']']
}

/** Returns the places of a schema below its top, each with the function that puts a value there. */
function placesIn(
  document: OpenApiDocument,
  top: Schema,
  sample: (schema: Schema | boolean, path: string) => unknown,
): (whole: Whole) => readonly Place[] {
  const below = (schema: Schema | boolean, path: readonly string[], whole: Whole): readonly Place[] => {
    if (typeof schema === 'boolean' || path.length > MAX_DEPTH) return []
    if (schema.$ref !== undefined) return below(resolved(document, schema.$ref), path, whole)
    const { items, properties = {} } = schema
    const place = path.join('.')
    const options = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
    const own = record(schema.type === 'object' ? sample(schema, place) : undefined)
    return [
      ...(path.length === 0 ? [] : [{ schema, path, whole }]),
      ...options.flatMap((option) => below(option, path, whole)),
      ...Object.entries(properties).flatMap(([name, property]) =>
        below(property, [...path, name], (value) => whole({ ...own, [name]: value })),
      ),
      ...(items && !Array.isArray(items) ? below(items, [...path, '0'], (value) => whole([value])) : []),
    ]
  }
  return (whole) => below(top, [], whole)
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  isRecord(value) && !Array.isArray(value) ? value : {}

const resolved = ({ components }: OpenApiDocument, reference: string): Schema | boolean =>
  components?.schemas?.[reference.slice('#/components/schemas/'.length)] ?? {}

/** Returns how often the large part can be repeated within the limit of values; `undefined` where bytes limit it first. */
function repetitions(whole: string, [, open, repeated, close]: Filler, limits: BodyLimits): number | undefined {
  const sample = typeof repeated === 'string' ? repeated : repeated(1)
  const each = valuesIn(sample)
  const maxRepetitions = Math.floor((limits.values - valuesIn(whole + open + close) - 1) / each)
  return maxRepetitions > 0 && maxRepetitions * (sample.length + 8) < limits.bytes ? maxRepetitions : undefined
}

const valuesIn = (text: string): number => text.replace(/"(?:[^"\\]|\\.)*"/g, '').match(/[,[{]/g)?.length ?? 0

/** Writes as much of the large part as the limits allow, between the text before it and the text after it. */
function filled(
  whole: string,
  [, open, repeated, close]: Filler,
  limit: number,
  maxRepetitions = Number.POSITIVE_INFINITY,
): Uint8Array<ArrayBuffer> {
  const at = whole.indexOf(JSON.stringify(MARK))
  const head = Buffer.from(whole.slice(0, at) + open)
  const tail = Buffer.from(close + whole.slice(at + MARK.length + 2))
  const bytes = new Uint8Array(limit)
  const buffer = Buffer.from(bytes.buffer)
  head.copy(buffer)
  let end = head.length
  if (typeof repeated === 'string') {
    const count = Math.min(
      maxRepetitions,
      Math.floor((limit - head.length - tail.length) / Buffer.byteLength(repeated)),
    )
    if (count > 0) buffer.fill(repeated, end, end + count * Buffer.byteLength(repeated))
    end += Math.max(count, 0) * Buffer.byteLength(repeated)
  } else {
    for (let index = 1; index <= maxRepetitions && end + 64 + tail.length < limit; index += 1)
      end += buffer.write(repeated(index), end)
  }
  tail.copy(buffer, end)
  return bytes.subarray(0, end + tail.length)
}
