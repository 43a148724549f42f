import { type GenericSchema, type InferOutput, safeParse } from 'valibot'
import { senseless } from '../asking/answer-failure.ts'

/** @throws SearchFailure where it is no JSON, or not of that shape */
export function parseJson<Schema extends GenericSchema>(text: string, schema: Schema): InferOutput<Schema> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw senseless()
  }
  const result = safeParse(schema, value)
  if (!result.success) throw senseless()
  return result.output
}

/**
 * Those of a list that can be read, each as `read` reads it. One bad item does no harm to the others.
 *
 * @throws SearchFailure where there are items and none of them can be read
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
  if (items.length > 0 && results.length === 0) throw senseless()
  return results
}
