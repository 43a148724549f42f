import { parseJson } from '../chat/parse-json.ts'
import { objectOf, textOf, textsOf } from '../dialects/json-values.ts'

/** An answer in the form of its operation. */
export interface CachedAnswer {
  /** The id of the provider that gave it. */
  readonly provider: string
  /** The client's names of what the upstream did not get. */
  readonly omitted: readonly string[]
  /** The answer as JSON. */
  readonly json: string
}

/** Writes an answer as one text: a line that describes it, and the answer. */
export const toText = ({ json, ...description }: CachedAnswer): string => `${JSON.stringify(description)}\n${json}`

/** Reads the text of a store. @returns `undefined` for a text that was not stored by this version */
export function fromText(text: string): CachedAnswer | undefined {
  const end = text.indexOf('\n')
  const description = end < 0 ? undefined : objectOf(parseJson(text.slice(0, end)))
  const provider = textOf(description?.provider)
  return provider === undefined
    ? undefined
    : { provider, omitted: textsOf(description?.omitted), json: text.slice(end + 1) }
}
