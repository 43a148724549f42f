import type { Suggestion } from '@trivium/gateway-core/ports'
import * as v from 'valibot'
import { oneLine } from './plain-text.ts'

const phrases = v.pipe(
  v.array(
    v.union([
      v.string(),
      v.pipe(
        v.object({ phrase: v.string() }),
        v.transform(({ phrase }) => phrase),
      ),
    ]),
  ),
  v.transform((list) => list),
)

/** The three formats of suggestions: texts, objects with a `phrase`, and OpenSearch's query with its list of texts. */
export const suggestionList = v.union([
  v.pipe(
    v.looseTuple([v.string(), phrases]),
    v.transform(([, list]) => list),
  ),
  phrases,
])

export const suggestions = (list: readonly string[], maxResults: number): readonly Suggestion[] =>
  [...new Set(list.map(oneLine))]
    .filter((phrase) => phrase !== '')
    .slice(0, maxResults)
    .map((phrase) => ({ phrase }))
