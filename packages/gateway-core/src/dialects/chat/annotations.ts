import type { Annotation, OutputPart } from '../conversation/conversation-parts.ts'
import type { JsonObject } from '../dialect.ts'
import { countIn, listOr, objectOr, present, textIn } from '../json-values.ts'

/** Reads the sources of a text. @param before the length of the texts before it, which the places of chat include */
export function readAnnotations(values: unknown, before = 0): readonly Annotation[] {
  return listOr(values).flatMap((value) => {
    const { type, url_citation: citation } = objectOr(value)
    const { url, title, start_index: start, end_index: end, content } = objectOr(citation)
    const address = textIn(url)
    if (type !== 'url_citation' || address === undefined) return []
    const place = placeOf(start, end, before)
    return [{ url: address, ...present({ title: textIn(title), quote: textIn(content) }), ...place }]
  })
}

function placeOf(first: unknown, last: unknown, before: number): Pick<Annotation, 'start' | 'end'> {
  const [start, end] = [countIn(first), countIn(last)]
  return start === undefined || end === undefined || start < before ? {} : { start: start - before, end: end - before }
}

/** Gives the sources of an answer to its first text. */
export function withAnnotations(parts: readonly OutputPart[], values: unknown): readonly OutputPart[] {
  const annotations = readAnnotations(values)
  const first = parts.findIndex(({ type }) => type === 'text')
  if (annotations.length === 0 || first < 0) return parts
  return parts.map((part, index) => (index === first && part.type === 'text' ? { ...part, annotations } : part))
}

/** Writes a source of a text. Without a place it is that of the whole text. */
export function writeAnnotation(annotation: Annotation, before: number, length: number): JsonObject {
  const { url, title, start, end, quote } = annotation
  const place = { start_index: before + (start ?? 0), end_index: before + (end ?? length) }
  return {
    type: 'url_citation',
    url_citation: { ...place, url, title: title ?? '', ...present({ content: quote }) },
  }
}
