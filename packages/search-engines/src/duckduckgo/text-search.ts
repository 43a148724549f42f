import { SearchFailure, type SearchQuery, type TextResult } from '@trivium/gateway-core/ports'
import { invalidAnswer } from '../calls/answer-failure.ts'
import { collect, type Page } from '../calls/collect.ts'
import { duckDuckGoRegion, queryText } from './parameters.ts'
import { resultPage } from './result-page.ts'
import type { Session } from './session.ts'
import { textResults } from './text-results.ts'

type Form = Readonly<Record<string, string>>

/** The most pages: the first has 10 results, further ones 15. */
const MAX_PAGES = 8

/** Searches with the `html` page, and with the `lite` page if that is blocked. */
export async function searchText(
  session: Session,
  query: SearchQuery,
  signal: AbortSignal,
): Promise<readonly TextResult[]> {
  try {
    return await pagesOf(session, session.html, query, signal)
  } catch (thrown) {
    if (!SearchFailure.is(thrown) || thrown.error.type !== 'blocked') throw thrown
    return pagesOf(session, session.lite, query, signal)
  }
}

function pagesOf(session: Session, url: URL, query: SearchQuery, signal: AbortSignal): Promise<readonly TextResult[]> {
  const first = {
    q: queryText(query.text),
    b: '',
    kl: duckDuckGoRegion(query.region),
    kp: safeSearch[query.safeSearch],
  }
  return collect(
    async (next): Promise<Page<TextResult>> => {
      const form = isForm(next) ? next : first
      const html = await session.ask({ url, form, headers: { cookie: `kp=${first.kp}` } }, signal)
      const { results, forms, isChallenge, statesNoResults } = resultPage(html)
      if (isChallenge) throw session.blocked()
      if (results.length === 0 && !statesNoResults) throw invalidAnswer()
      return { results: textResults(results), next: nextForm(forms, form, first) }
    },
    { maxResults: query.maxResults, maxPages: MAX_PAGES, keyOf: ({ href }) => href },
  )
}

const safeSearch = { on: '1', moderate: '-1', off: '-2' } as const

const isForm = (next: unknown): next is Form => typeof next === 'object' && next !== null

/** The fields of a form that are sent back for the next page. */
const fields = ['s', 'nextParams', 'v', 'o', 'dc', 'api', 'vqd'] as const

const MAX_FIELD_LENGTH = 500

/** Finds the form for the next page. The form for the previous page has a smaller offset. */
function nextForm(forms: readonly Form[], current: Form, first: Form): Form | undefined {
  const offset = ({ s }: Form): number => (s !== undefined && /^\d{1,6}$/.test(s) ? Number(s) : 0)
  const [next] = forms
    .filter((form) => offset(form) > offset(current))
    .toSorted((left, right) => offset(left) - offset(right))
  if (!next) return undefined
  const known = fields.flatMap((name) => {
    const value = next[name]
    return value === undefined || value.length > MAX_FIELD_LENGTH ? [] : [[name, value] as const]
  })
  return { ...first, ...Object.fromEntries(known) }
}
