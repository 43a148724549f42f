import { isObject } from '../../chat/is-object.ts'
import type { Annotation, ForeignCitation, TextPart } from '../conversation/conversation-parts.ts'
import type { JsonObject } from '../dialect.ts'
import { listOr, objectOr, textIn } from '../json-values.ts'
import { given } from './fields.ts'

/** Reads a citation of a web page. Those of documents have no address. */
function annotationFrom(citation: unknown, end: number): readonly Annotation[] {
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

/** Reads the citations of a text: those of web pages, and those of documents, which no other dialect has. */
export function citationsFrom(citations: unknown, text: string): Pick<TextPart, 'annotations' | 'foreignCitations'> {
  const annotations: Annotation[] = []
  const foreignCitations: ForeignCitation[] = []
  for (const citation of listOr(citations)) {
    const [annotation] = annotationFrom(citation, text.length)
    if (annotation) annotations.push(annotation)
    else if (isObject(citation)) foreignCitations.push({ dialect: 'messages', value: citation })
  }
  return {
    ...(annotations.length > 0 ? { annotations } : {}),
    ...(foreignCitations.length > 0 ? { foreignCitations } : {}),
  }
}

/** Counts the citations of documents in earlier turns. Other dialects have none, and no effect of them: they are hints. */
export function documentCitations(messages: unknown): JsonObject {
  const blocks = listOr(messages).flatMap((message) => listOr(objectOr(message).content))
  const citations = blocks.flatMap((block) => listOr(objectOr(block).citations))
  const count = citationsFrom(citations, '').foreignCitations?.length ?? 0
  return count > 0 ? { 'messages.content.citations': count } : {}
}

/** Returns the citations of documents, for a client of messages. */
export const documentCitationsOf = ({ foreignCitations = [] }: TextPart): readonly JsonObject[] =>
  foreignCitations.flatMap(({ dialect, value }) => (dialect === 'messages' ? [value] : []))

/** Writes a citation of a web page, which belongs to its whole text block. Some clients refuse one without a title. */
export const citationOf = ({ url, title, quote, encryptedIndex }: Annotation): JsonObject => ({
  type: 'web_search_result_location',
  url,
  title: title ?? url,
  cited_text: quote ?? '',
  encrypted_index: encryptedIndex ?? '',
})
