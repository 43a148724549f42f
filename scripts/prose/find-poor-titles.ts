import { readFileSync } from 'node:fs'
import type { Found } from './found.ts'

/** A form of titles that is refused. */
interface Form {
  readonly rule: string
  readonly pattern: string
  readonly why: string
}

const forms: readonly Form[] = JSON.parse(readFileSync(new URL('titles.json', import.meta.url), 'utf8'))
const matchers = forms.map(({ pattern, ...form }) => ({ ...form, matcher: new RegExp(pattern, 'i') }))

/** The titles that do not read without their `describe` or their neighbours. */
export const findPoorTitles = (titles: readonly string[]): readonly Found[] =>
  titles.flatMap((title, index) =>
    matchers
      .filter(({ matcher }) => matcher.test(title))
      .map(({ rule, why }) => ({ rule, index, offset: 0, message: `“${title}” ${why}` })),
  )
