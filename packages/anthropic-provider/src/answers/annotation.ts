import { type JsonObject, textOr } from '@trivium/provider-kit/answers'

export interface Annotation {
  readonly type: 'url_citation'
  readonly url_citation: {
    readonly start_index: number
    readonly end_index: number
    readonly url: string
    readonly title: string
  }
}

/**
 * Converts a citation of a web page to an annotation of the text that it supports. Empty for other kinds of sources.
 */
export function annotation(
  citation: JsonObject,
  { start, end }: { readonly start: number; readonly end: number },
): readonly Annotation[] {
  const url = textOr(citation.url)
  if (url === '') return []
  const title = textOr(citation.title)
  return [{ type: 'url_citation', url_citation: { start_index: start, end_index: end, url, title } }]
}
