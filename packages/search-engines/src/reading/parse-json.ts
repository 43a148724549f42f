import { type GenericSchema, type InferOutput, safeParse } from 'valibot'
import { invalidAnswer } from '../calls/answer-failure.ts'

/** Parses a JSON text. @throws SearchFailure if it is not JSON or does not match the schema */
export function parseJson<Schema extends GenericSchema>(text: string, schema: Schema): InferOutput<Schema> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalidAnswer()
  }
  const result = safeParse(schema, value)
  if (!result.success) throw invalidAnswer()
  return result.output
}

/**
 * Converts the items of a list with `read`, and drops invalid ones.
 *
 * @throws SearchFailure if there are items and all are invalid
 */
export function readItems<Schema extends GenericSchema, Result>(
  items: readonly unknown[],
  schema: Schema,
  read: (item: InferOutput<Schema>) => Result | undefined,
): readonly Result[] {
  const results = items.flatMap((item): readonly Result[] => {
    const parsed = safeParse(schema, item)
    const result = parsed.success ? read(parsed.output) : undefined
    return result === undefined ? [] : [result]
  })
  if (items.length > 0 && results.length === 0) throw invalidAnswer()
  return results
}
