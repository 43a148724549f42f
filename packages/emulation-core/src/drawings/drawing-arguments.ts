import * as v from 'valibot'
import { newIdSchema, wholeWithin } from '../bounds.ts'
import type { ArgumentSchemas } from '../check-arguments.ts'
import { layerBounds, MAX_SVG, positionBounds, rotationBounds } from './drawing-bounds.ts'
import type { Drawings } from './drawings.ts'

/** A `DrawingReference`. Unknown ids are not found. */
const referenceSchema = v.object({ projectId: v.string(), id: v.string() })

const svg = v.pipe(
  v.string(),
  v.nonEmpty('must not be empty'),
  v.maxLength(MAX_SVG, `must have at most ${MAX_SVG} characters`),
)

const place = {
  x: v.optional(wholeWithin(...positionBounds)),
  y: v.optional(wholeWithin(...positionBounds)),
  z: v.optional(wholeWithin(...layerBounds)),
  rotation: v.optional(wholeWithin(...rotationBounds)),
  locked: v.optional(v.boolean()),
}

/** What the methods of {@link Drawings} take. An SVG that is refused is an error of the operations. */
export const drawingArguments: ArgumentSchemas<Drawings> = {
  create: [v.strictObject({ projectId: v.string(), id: v.optional(newIdSchema), ...place, svg })],
  find: [referenceSchema],
  list: [v.string()],
  update: [referenceSchema, v.strictObject({ ...place, svg: v.optional(svg) })],
  remove: [referenceSchema],
}
