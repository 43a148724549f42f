import * as v from 'valibot'
import { isObject } from '../../chat/is-object.ts'
import type { SchemaOf } from '../fields.ts'

const described = v.looseObject({ url: v.string(), detail: v.exactOptional(v.nullable(v.string())) })
const urlOrDescribed = v.union([v.string(), described], 'must be a URL or an object with a url')

export interface MediaUrlSchema extends SchemaOf<typeof urlOrDescribed> {}

/** An address, as a text or in an object. Selects one schema by the input, so that an issue names the wrong field. */
export const mediaUrl: MediaUrlSchema = v.lazy((input) => (isObject(input) ? described : urlOrDescribed))
