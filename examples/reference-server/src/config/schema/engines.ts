import * as v from 'valibot'
import { choice, described, optional } from './section.ts'
import { headerName, headerValue, httpUrl, listOf, namedBy, shortId, whole } from './values.ts'

const id = optional('The name for the parameter engine (the kind).', shortId)
const maxAnswerBytes = optional('The most bytes of one page (4194304).', whole(1, Number.MAX_SAFE_INTEGER))

const kind = <const Kind extends string>(name: Kind) =>
  described("searxng, brave, duckduckgo, or local: Trivium's own documents.", v.literal(name))

const engine = v.variant(
  'kind',
  [
    choice({
      kind: kind('searxng'),
      id,
      base_url: described('The URL of the instance, which allows json in search.formats.', httpUrl),
      headers: optional('Headers of every request to it.', namedBy(headerName, headerValue, 50)),
      max_pages: optional('The most pages of one search (10).', whole(1, 1000)),
      max_answer_bytes: maxAnswerBytes,
    }),
    choice({
      kind: kind('brave'),
      id,
      api_key: described('The key, such as $BRAVE_API_KEY.', headerValue),
      base_url: optional('The URL of the interface (https://api.search.brave.com/res/v1).', httpUrl),
      max_answer_bytes: maxAnswerBytes,
    }),
    choice({
      kind: kind('duckduckgo'),
      id,
      base_url: optional('One origin for all of its hosts (their own).', httpUrl),
      user_agent: optional('The header user-agent (that of a browser).', headerValue),
      blocked_retry_seconds: optional('The retry time after a block without one (60).', whole(1, 86_400)),
      max_answer_bytes: maxAnswerBytes,
    }),
    choice({ kind: kind('local'), id }),
  ],
  (issue) => {
    if (issue.received === 'undefined') return 'is missing'
    return issue.path?.at(-1)?.key === 'kind' ? 'must be searxng, brave, duckduckgo or local' : 'must be an object'
  },
)

/** The engines, the default first. */
export const engines = v.pipe(listOf(engine, 20), v.nonEmpty('must have at least one engine'))

export type Engine = v.InferOutput<typeof engine>
