import * as v from 'valibot'
import { described, optional, section } from './section.ts'
import { listOf, text } from './values.ts'

/** The volumes of the storage service. */
export const volumes = v.pipe(
  listOf(
    section({
      name: described(
        'The name of the volume.',
        v.pipe(
          v.string('must be text'),
          v.regex(/^[A-Za-z_][\w-]{0,202}$/, 'must have letters, digits, _ and -, and begin with a letter or _'),
        ),
      ),
      directory: optional(
        'The directory of a real volume (a simulated one).',
        v.pipe(text, v.excludes(',', 'must not contain a comma')),
      ),
    }),
    1000,
  ),
  v.nonEmpty('must have at least one volume'),
)

export type Volume = v.InferOutput<typeof volumes>[number]
