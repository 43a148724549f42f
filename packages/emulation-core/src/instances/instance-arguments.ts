import * as v from 'valibot'
import { lineWithin, newIdSchema, nonEmptyLineWithin, plainNameSchema, wholeWithin, within } from '../bounds.ts'
import type { ArgumentSchemas } from '../check-arguments.ts'
import type { Kind } from '../kinds/kind.ts'
import { settingsSchemas } from '../kinds/kind-bounds.ts'
import { kinds } from '../kinds/kinds.ts'
import type { Instances } from './instances.ts'
import type { Lifecycle } from './lifecycle.ts'

/** A kind of instances. */
export const kindSchema = v.pipe(v.string(), v.check(isKind, 'must be a kind of instances'))

/** An `InstanceReference`. Unknown ids are not found. */
export const referenceSchema = v.object({ projectId: v.string(), kind: kindSchema, id: v.string() })

const newInstance = (request: unknown) =>
  v.object({
    projectId: v.string(),
    kind: kindSchema,
    id: v.optional(newIdSchema),
    name: plainNameSchema,
    settings: settingsSchemas[kindOf(request)],
    text: v.optional(v.string()),
  })

const changes = (kind: Kind) =>
  v.object({
    name: v.optional(plainNameSchema),
    settings: v.optional(settingsSchemas[kind]),
    text: v.optional(v.string()),
  })

const place = v.nullish(within(-1_000_000, 1_000_000))

const label = v.strictObject({
  text: v.optional(v.pipe(v.string(), v.maxLength(1000, 'must have at most 1,000 characters'))),
  x: v.optional(within(-1_000_000, 1_000_000)),
  y: v.optional(within(-1_000_000, 1_000_000)),
  rotation: v.optional(within(-360, 360)),
  style: v.optional(lineWithin(1000)),
})

const arrangementChange = v.strictObject({
  id: v.string(),
  x: place,
  y: place,
  z: v.nullish(wholeWithin(-1000, 1000)),
  symbol: v.nullish(nonEmptyLineWithin(255)),
  colour: v.nullish(v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/i, 'must be six hexadecimal digits after #'))),
  label: v.nullish(label),
  locked: v.nullish(v.boolean()),
  startOrder: v.nullish(wholeWithin(0, 1000)),
  startDelaySeconds: v.nullish(within(0, 3600)),
})

/** Returns the kind that a value names, or any for a value that is refused. */
const kindOf = (value: unknown): Kind =>
  isObject(value) && 'kind' in value && typeof value.kind === 'string' && isKind(value.kind) ? value.kind : 'machine'

function isKind(name: string): name is Kind {
  return Object.hasOwn(kinds, name)
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** What the methods of {@link Instances} take. Text that is too long is an error of the operations. */
export const instanceArguments: ArgumentSchemas<Instances> = {
  create: [newInstance],
  find: [referenceSchema],
  list: [v.string(), v.optional(kindSchema)],
  update: [referenceSchema, (reference) => changes(kindOf(reference))],
  arrange: [v.string(), v.pipe(v.array(arrangementChange), v.maxLength(1000, 'must have at most 1,000 changes'))],
  nodes: [v.string()],
  remove: [referenceSchema],
  text: [referenceSchema],
  resources: [referenceSchema],
  macTable: [referenceSchema],
  clearMacTable: [referenceSchema],
}

/** What the methods of {@link Lifecycle} take. */
export const lifecycleArguments: ArgumentSchemas<Lifecycle> = {
  start: [referenceSchema],
  stop: [referenceSchema],
  suspend: [referenceSchema],
  resume: [referenceSchema],
  reload: [referenceSchema],
}
