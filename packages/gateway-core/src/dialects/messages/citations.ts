import type { Annotation } from '../conversation/conversation-parts.ts'
import type { JsonObject } from '../dialect.ts'
import { given, listOr, objectOr, textIn, textOr } from './fields.ts'

/** Reads a citation of a web page. Those of documents have no address, and no other dialect can request them: none is returned. */
export function annotationFrom(citation: unknown, end: number): readonly Annotation[] {
  const { url, title, cited_text, encrypted_index } = objectOr(citation)
  if (typeof url !== 'string' || url === '') return []
  return [
    {
      url,
      ...given('title', textIn(title)),
      start: 0,
      end,
      ...given('quote', textIn(cited_text)),
      ...given('encryptedIndex', textIn(encrypted_index)),
    },
  ]
}

/** Reads the citations of a text. */
export const annotationsFrom = (citations: unknown, text: unknown): readonly Annotation[] =>
  listOr(citations).flatMap((citation) => annotationFrom(citation, textOr(text).length))

/** Counts the citations of documents in earlier turns. Other dialects have none, and no effect of them: they are hints. */
export function documentCitations(messages: unknown): JsonObject {
  const blocks = listOr(messages).flatMap((message) => listOr(objectOr(message).content))
  const citations = blocks.flatMap((block) => listOr(objectOr(block).citations))
  const count = citations.filter((citation) => annotationFrom(citation, 0).length === 0).length
  return count > 0 ? { 'messages.content.citations': count } : {}
}

/** Writes a citation of a web page, which belongs to its whole text block. Some clients refuse one without a title. */
export const citationOf = ({ url, title, quote, encryptedIndex }: Annotation): JsonObject => ({
  type: 'web_search_result_location',
  url,
  title: title ?? url,
  cited_text: quote ?? '',
  encrypted_index: encryptedIndex ?? '',
})
