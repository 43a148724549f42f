import { Parser } from 'htmlparser2'
import { oneLine } from '../reading/plain-text.ts'

/** The data of a page of results, `html` or `lite`. */
export interface ResultPage {
  readonly results: readonly FoundPage[]
  /** Hidden fields of the page's forms, including the form for the next page. */
  readonly forms: readonly Readonly<Record<string, string>>[]
  /** Whether the page is a challenge for robots. */
  readonly isChallenge: boolean
  /** Whether the page states that there are no results. */
  readonly statesNoResults: boolean
}

export interface FoundPage {
  readonly title: string
  readonly href: string
  readonly body: string
  readonly isAdvertisement: boolean
}

interface OpenResult {
  title: string
  href: string
  body: string
  isAdvertisement: boolean
}

/** The destination of an element's text, until the element is closed. */
interface Capture {
  readonly tag: string
  readonly to: 'title' | 'body'
  depth: number
}

const MAX_RESULTS = 200
const MAX_FORMS = 20
const MAX_FIELDS = 20
/** The parser takes quadratic time in the depth, so a deeper page is not read further. */
const MAX_DEPTH = 500

const unreadTags: ReadonlySet<string> = new Set(['script', 'style'])

/** Parses an `html` or `lite` page by the classes of its elements, in one pass over the text. */
export function resultPage(html: string): ResultPage {
  const results: OpenResult[] = []
  const forms: Record<string, string>[] = []
  let result: OpenResult | undefined
  let form: Record<string, string> | undefined
  let capture: Capture | undefined
  let inHeading = false
  let sponsoredRow = false
  let isChallenge = false
  let statesNoResults = false
  let unread = 0
  let depth = 0

  const begin = (isAdvertisement: boolean, href = '') => {
    result = { title: '', href, body: '', isAdvertisement }
    if (results.length < MAX_RESULTS) results.push(result)
  }

  const opened = (tag: string, attributes: Readonly<Record<string, string>>) => {
    const classes = (attributes.class ?? '').split(/\s+/)
    const has = (name: string) => classes.includes(name)
    if (unreadTags.has(tag)) unread++
    if (++depth > MAX_DEPTH) parser.pause()
    if (capture) {
      if (tag === capture.tag) capture.depth++
      return
    }
    switch (tag) {
      case 'div':
        if (has('result')) begin(has('result--ad'))
        if (has('no-results')) statesNoResults = true
        if (has('anomaly-modal__title')) isChallenge = true
        break
      case 'h2':
        inHeading = true
        break
      case 'tr':
        sponsoredRow = has('result-sponsored')
        break
      case 'form':
        if (attributes.id === 'challenge-form') isChallenge = true
        form = {}
        if (forms.length < MAX_FORMS) forms.push(form)
        break
      case 'input': {
        const { name, value } = attributes
        if (form && name !== undefined && value !== undefined && Object.keys(form).length < MAX_FIELDS)
          form[name] = value
        break
      }
      case 'a':
        if (has('result-link')) begin(sponsoredRow, attributes.href)
        if (result && (has('result-link') || (inHeading && result.href === ''))) {
          result.href = attributes.href ?? ''
          capture = { tag, to: 'title', depth: 1 }
        } else if (has('result__snippet')) capture = { tag, to: 'body', depth: 1 }
        break
      case 'td':
        if (has('result-snippet')) capture = { tag, to: 'body', depth: 1 }
        break
    }
  }

  const closed = (tag: string) => {
    depth--
    if (unreadTags.has(tag)) unread--
    if (capture && tag === capture.tag && --capture.depth === 0) capture = undefined
    else if (tag === 'h2') inHeading = false
    else if (tag === 'form') form = undefined
  }

  const parser = new Parser({
    onopentag: opened,
    onclosetag: closed,
    ontext: (text) => {
      if (unread > 0) return
      if (capture && result) result[capture.to] += text
      else if (/\bNo\s+(?:more\s+)?results\b/.test(text)) statesNoResults = true
    },
  })
  parser.write(html)
  if (depth <= MAX_DEPTH) parser.end()
  return {
    results: results.map(({ title, body, ...rest }) => ({ ...rest, title: oneLine(title), body: oneLine(body) })),
    forms,
    isChallenge,
    statesNoResults,
  }
}
