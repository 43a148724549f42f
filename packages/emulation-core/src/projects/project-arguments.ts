import * as v from 'valibot'
import { newIdSchema, wholeWithin } from '../bounds.ts'
import type { ArgumentSchemas } from '../check-arguments.ts'
import { isPlainName } from './plain-name.ts'
import type { Projects } from './projects.ts'

const id = v.string()
/** A lone surrogate has the bytes of another one, and so its directory. */
const ownerId = v.pipe(
  v.string(),
  v.nonEmpty('must not be empty'),
  v.maxLength(128, 'must have at most 128 characters'),
  v.regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must have no control characters'),
)
const name = v.pipe(v.string(), v.check(isPlainName, 'must be a plain file name'))
const line = v.pipe(v.string(), v.maxLength(255, 'must have at most 255 characters'))
const pixels = v.optional(wholeWithin(100, 1_000_000))
const step = v.optional(wholeWithin(1, 10_000))
const flag = v.optional(v.boolean())

const scene = v.strictObject({
  width: pixels,
  height: pixels,
  zoom: v.optional(wholeWithin(1, 1000)),
  gridSize: step,
  drawingGridSize: step,
  showGrid: flag,
  snapToGrid: flag,
  showLayers: flag,
  showInterfaceLabels: flag,
})

const details = {
  path: v.optional(v.string()),
  name: v.optional(name),
  temporary: flag,
  description: v.optional(v.pipe(v.string(), v.maxLength(10_000, 'must have at most 10,000 characters'))),
  author: v.optional(line),
  locked: flag,
  autoOpen: flag,
  autoStart: flag,
  autoStopMinutes: v.optional(wholeWithin(0, 525_600)),
  scene: v.optional(scene),
}

/** What the methods of {@link Projects} take. An unusable path is an error of the operations. */
export const projectArguments: ArgumentSchemas<Projects> = {
  create: [v.strictObject({ id: v.optional(newIdSchema), ...details, ownerId: v.optional(ownerId) })],
  find: [id],
  list: [],
  counts: [id],
  update: [id, v.strictObject({ ...details, archived: flag })],
  commit: [id],
  open: [id],
  close: [id],
  duplicate: [
    id,
    v.strictObject({ id: v.optional(newIdSchema), name: v.optional(name), ownerId: v.optional(ownerId) }),
  ],
  start: [id],
  stop: [id],
  remove: [id],
}
