import * as v from 'valibot'
import { Refusal } from './upstream.ts'

export const object = v.record(v.string(), v.unknown())

/** A name of a tool, as all three protocols allow it. */
export const toolName = (longest: number) => v.pipe(v.string(), v.regex(/^[a-zA-Z0-9_-]+$/), v.maxLength(longest))

/** Parses the body of a request. @throws Refusal that names the first place which the protocol does not allow */
export function checkRequest<Schema extends v.GenericSchema>(schema: Schema, body: unknown): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, body, { abortEarly: true })
  if (parsed.success) return parsed.output
  throw new Refusal(`${v.getDotPath(deepest(parsed.issues[0])) ?? 'body'}: ${deepest(parsed.issues[0]).message}`)
}

function deepest(issue: v.BaseIssue<unknown>): v.BaseIssue<unknown> {
  const [first] = issue.issues ?? []
  return first === undefined ? issue : deepest(first)
}

/** Refuses a schema with keywords that structured outputs do not have. @throws Refusal */
export function checkStrictSchema(schema: unknown, at: string, unsupported: ReadonlySet<string>): void {
  if (Array.isArray(schema)) {
    for (const one of schema) checkStrictSchema(one, at, unsupported)
    return
  }
  if (!v.is(object, schema)) return
  if (schema.type === 'object' && schema.additionalProperties !== false) {
    throw new Refusal(`${at}: 'additionalProperties' is required to be supplied and to be false`)
  }
  for (const [key, value] of Object.entries(schema)) {
    if (unsupported.has(key)) throw new Refusal(`${at}: For this type, property '${key}' is not supported`)
    if (key === 'properties' || key === '$defs') {
      for (const one of Object.values(v.parse(object, value))) checkStrictSchema(one, at, unsupported)
    } else if (key === 'items' || key === 'anyOf' || key === 'allOf') checkStrictSchema(value, at, unsupported)
  }
}

/** Counts the members with this key, at any depth. */
export function countKey(value: unknown, key: string): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + countKey(one, key), 0)
  if (!v.is(object, value)) return 0
  return Object.entries(value).reduce((sum, [name, one]) => sum + (name === key ? 1 : countKey(one, key)), 0)
}
