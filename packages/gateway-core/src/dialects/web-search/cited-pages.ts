import type { Annotation, TextPart } from '../conversation/conversation-parts.ts'

/** The pages of all searches of a request: their titles by their addresses. */
export type KnownPages = ReadonlyMap<string, string>

const MOST_CHARACTERS = 200_000
/** Links that are compared with the pages. */
const MOST_LINKS = 1000
const MOST_CITATIONS = 100
const LONGEST_LABEL = 200

/** Adds the pages that a text links in Markdown, where a search has found them, to its sources. */
export function withCitations(part: TextPart, pages: KnownPages): TextPart {
  const cited = citationsIn(part.text, pages)
  return cited.length === 0 ? part : { ...part, annotations: [...(part.annotations ?? []), ...cited] }
}

function citationsIn(text: string, pages: KnownPages): readonly Annotation[] {
  const found: Annotation[] = []
  if (pages.size === 0) return found
  const end = Math.min(text.length, MOST_CHARACTERS)
  let links = 0
  for (let at = text.indexOf(LINK); at >= 0 && at < end; at = text.indexOf(LINK, at + LINK.length)) {
    links += 1
    if (links > MOST_LINKS) break
    const citation = citationAt(text, at, pages)
    if (citation) found.push(citation)
    if (found.length >= MOST_CITATIONS) break
  }
  return found
}

/** Between the label of a link and its address. */
const LINK = ']('

function citationAt(text: string, at: number, pages: KnownPages): Annotation | undefined {
  const label = text.slice(Math.max(0, at - LONGEST_LABEL), at)
  const open = label.lastIndexOf('[')
  if (open < 0) return undefined
  const start = at - label.length + open
  const address = at + LINK.length
  for (const [url, title] of pages) {
    const close = address + url.length
    if (text[close] === ')' && text.startsWith(url, address)) return { url, title, start, end: close + 1 }
  }
  return undefined
}
