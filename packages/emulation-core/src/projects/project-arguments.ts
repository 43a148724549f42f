import * as v from 'valibot'
import { newIdSchema } from '../bounds.ts'
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
const changes = { path: v.optional(v.string()), name: v.optional(name), temporary: v.optional(v.boolean()) }

/** What the methods of {@link Projects} take. An unusable path is an error of the operations. */
export const projectArguments: ArgumentSchemas<Projects> = {
  create: [v.strictObject({ id: v.optional(newIdSchema), ...changes, ownerId: v.optional(ownerId) })],
  find: [id],
  list: [],
  update: [id, v.strictObject(changes)],
  commit: [id],
  close: [id],
  remove: [id],
}
