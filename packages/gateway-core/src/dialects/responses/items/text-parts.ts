import type { Annotation, RefusalPart, TextPart } from '../../conversation/conversation-parts.ts'
import type { JsonObject } from '../../dialect.ts'
import { listOf, numberOf, objectsOf, present, textOf } from '../values.ts'

/** Reads a part of a message of the model. Returns `undefined` for a part of an unknown type. */
export function readOutputPart(part: JsonObject, at?: string): TextPart | RefusalPart | undefined {
  if (part.type === 'refusal') return present({ type: 'refusal', text: textOf(part.refusal) ?? '', at })
  if (part.type !== 'output_text' && part.type !== 'input_text' && part.type !== 'text') return undefined
  const annotations = objectsOf(part.annotations).flatMap(readAnnotation)
  const logProbabilities = listOf(part.logprobs)
  return present({
    type: 'text',
    text: textOf(part.text) ?? '',
    annotations: annotations.length > 0 ? annotations : undefined,
    logProbabilities: logProbabilities.length > 0 ? logProbabilities : undefined,
    at,
  })
}

/** Reads a citation of a page. Those of files have no place in other dialects. */
export function readAnnotation(value: JsonObject): readonly Annotation[] {
  const url = textOf(value.url)
  if (value.type !== 'url_citation' || url === undefined) return []
  return [
    present({
      url,
      title: textOf(value.title),
      start: numberOf(value.start_index),
      end: numberOf(value.end_index),
      quote: textOf(value.cited_text),
      encryptedIndex: textOf(value.encrypted_index),
    }),
  ]
}

export const writeOutputPart = (part: TextPart | RefusalPart): JsonObject =>
  part.type === 'refusal' ? { type: 'refusal', refusal: part.text } : writeText(part)

function writeText({ text, annotations = [], logProbabilities = [] }: TextPart): JsonObject {
  return {
    type: 'output_text',
    text,
    annotations: annotations.map((annotation) => writeAnnotation(annotation, text.length)),
    logprobs: logProbabilities,
  }
}

/** Writes a citation. `cited_text` and `encrypted_index` are not OpenAI's: a messages upstream reads them again. */
export function writeAnnotation(annotation: Annotation, textLength: number): JsonObject {
  return present({
    type: 'url_citation',
    url: annotation.url,
    title: annotation.title ?? '',
    start_index: annotation.start ?? 0,
    end_index: annotation.end ?? textLength,
    cited_text: annotation.quote,
    encrypted_index: annotation.encryptedIndex,
  })
}
