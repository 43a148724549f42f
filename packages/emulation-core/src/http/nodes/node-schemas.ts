import * as v from 'valibot'
import type { LabNode } from '../../index.ts'
import type { ArrangementChange } from '../../instances/arrangement-change.ts'
import { describeValue } from '../errors/describe-value.ts'
import { wireKinds } from '../kinds/kind-names.ts'
import { fields, flag, integer, line, nonEmptyLine, number, text, whole, withoutNullish } from '../requests/fields.ts'
import { nodeId } from '../requests/identifiers.ts'

const place = v.nullish(number(-1_000_000, 1_000_000))
const colour = v.pipe(
  text(7),
  v.regex(/^#[0-9a-f]{6}$/i, ({ input }) => `${describeValue(input)} is not a colour such as #0a84ff`),
)

const labelFields = {
  text: v.optional(text(1000)),
  x: v.optional(number(-1_000_000, 1_000_000)),
  y: v.optional(number(-1_000_000, 1_000_000)),
  rotation: v.optional(number(-360, 360)),
  style: v.optional(line(1000)),
}

const placeFields = {
  x: place,
  y: place,
  z: v.nullish(integer(-1000, 1000)),
  symbol: v.nullish(nonEmptyLine(255)),
  colour: v.nullish(colour),
  label: v.nullish(fields(labelFields)),
  locked: v.nullish(flag),
  start_order: v.nullish(integer(0, 1000)),
  start_delay_seconds: v.nullish(number(0, 3600)),
}

type NodeChange = v.InferInput<v.ObjectSchema<typeof placeFields, undefined>> & { readonly node_id: string }

/** A change of one node in requests. */
export const nodeChange: v.GenericSchema<NodeChange, ArrangementChange> = v.pipe(
  fields({ ...placeFields, node_id: nodeId }),
  v.transform(({ node_id, label, start_order, start_delay_seconds, ...change }) => ({
    id: node_id,
    ...change,
    label: label && withoutNullish(label),
    startOrder: start_order,
    startDelaySeconds: start_delay_seconds,
  })),
)

const labelObject = v.partial(
  v.object({ text: v.string(), x: v.number(), y: v.number(), rotation: v.number(), style: v.string() }),
)

/** An instance of any kind, with its place in the lab. */
export const nodeSchema = v.pipe(
  v.object({
    colour: v.optional(v.string()),
    kind: v.picklist(Object.values(wireKinds)),
    label: v.optional(labelObject),
    locked: v.boolean(),
    name: v.string(),
    node_id: v.string(),
    project_id: v.string(),
    start_delay_seconds: v.number(),
    start_order: whole,
    status: v.picklist(['stopped', 'started', 'suspended']),
    symbol: v.optional(v.string()),
    x: v.optional(v.number()),
    y: v.optional(v.number()),
    z: v.optional(v.number()),
  }),
  v.title('Node'),
)

/** Translates an instance and its place to the wire. */
export function toWireNode({
  id,
  kind,
  name,
  projectId,
  state,
  arrangement = {},
}: LabNode): v.InferInput<typeof nodeSchema> {
  const { startOrder = 0, startDelaySeconds = 0, locked = false, ...shown } = arrangement
  return {
    ...shown,
    kind: wireKinds[kind],
    locked,
    name,
    node_id: id,
    project_id: projectId,
    start_delay_seconds: startDelaySeconds,
    start_order: startOrder,
    status: state,
  }
}
