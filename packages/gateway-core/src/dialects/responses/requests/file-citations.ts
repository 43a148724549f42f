import type { JsonObject } from '../../dialect.ts'
import { objectsOf } from '../../json-values.ts'
import { readOutputPart } from '../items/text-parts.ts'

/** The member of the hints that has their number. */
const NAME = 'input.content.annotations'

/** Counts the citations of files in earlier turns. Other dialects have none, and no effect of them: they are hints. */
export function fileCitations({ input }: JsonObject): JsonObject {
  const parts = objectsOf(input).flatMap(({ content }) => objectsOf(content))
  const counts = parts.map((part) => {
    const read = readOutputPart(part)
    return read?.type === 'text' ? (read.foreignCitations?.length ?? 0) : 0
  })
  const count = counts.reduce((sum, one) => sum + one, 0)
  return count > 0 ? { [NAME]: count } : {}
}
