import * as v from 'valibot'
import { textWithin } from '../../bounds.ts'
import { isObject } from '../../chat/is-object.ts'
import type { SchemaOf } from '../fields.ts'

type Typed = v.LooseObjectSchema<{ readonly type: v.LiteralSchema<string, undefined> } & v.ObjectEntries, undefined>

/** The most characters of a type that the gateway does not know. */
const MAX_TYPE = 64

/** An object of a type that the gateway does not know, which upstreams get as it is. */
const other = v.looseObject({ type: textWithin(MAX_TYPE) })

export interface ByType<Schemas extends readonly Typed[]> extends SchemaOf<Schemas[number] | typeof other> {}

/**
 * Selects one schema by the `type` of the input, so that an issue names the wrong field. Objects of other types pass with
 * all their members.
 */
export function byType<const Schemas extends readonly Typed[]>(schemas: Schemas): ByType<Schemas> {
  const known = new Map<unknown, Schemas[number]>(schemas.map((schema) => [schema.entries.type.literal, schema]))
  const all = v.variant('type', [...schemas, other])
  return v.lazy((input) => {
    if (!isObject(input) || typeof input.type !== 'string') return all
    return known.get(input.type) ?? other
  })
}
