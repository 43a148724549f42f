import type { Annotation, ForeignCitation, RefusalPart, TextPart } from '../../conversation/conversation-parts.ts'
import type { JsonObject } from '../../dialect.ts'
import { listOr, numberIn, objectsOf, present, textOf } from '../../json-values.ts'

/** Reads a part of a message of the model. Returns `undefined` for a part of an unknown type. */
export function readOutputPart(part: JsonObject, at?: string): TextPart | RefusalPart | undefined {
  if (part.type === 'refusal') return present({ type: 'refusal', text: textOf(part.refusal) ?? '', at })
  if (part.type !== 'output_text' && part.type !== 'input_text' && part.type !== 'text') return undefined
  const annotations = objectsOf(part.annotations).flatMap(readAnnotation)
  const foreignCitations = objectsOf(part.annotations).flatMap(fileCitation)
  const logProbabilities = listOr(part.logprobs)
  return present({
    type: 'text',
    text: textOf(part.text) ?? '',
    annotations: annotations.length > 0 ? annotations : undefined,
    foreignCitations: foreignCitations.length > 0 ? foreignCitations : undefined,
    logProbabilities: logProbabilities.length > 0 ? logProbabilities : undefined,
    at,
  })
}

/** Reads a citation of a file, which no other dialect has. */
const fileCitation = (value: JsonObject): readonly ForeignCitation[] =>
  readAnnotation(value).length > 0 ? [] : [{ dialect: 'responses', value }]

/** Reads a citation of a page. */
export function readAnnotation(value: JsonObject): readonly Annotation[] {
  const url = textOf(value.url)
  if (value.type !== 'url_citation' || url === undefined) return []
  return [
    present({
      url,
      title: textOf(value.title),
      start: numberIn(value.start_index),
      end: numberIn(value.end_index),
      quote: textOf(value.cited_text),
      encryptedIndex: textOf(value.encrypted_index),
    }),
  ]
}

export const writeOutputPart = (part: TextPart | RefusalPart): JsonObject =>
  part.type === 'refusal' ? { type: 'refusal', refusal: part.text } : writeText(part)

function writeText(part: TextPart): JsonObject {
  const { text, annotations = [], logProbabilities = [] } = part
  return {
    type: 'output_text',
    text,
    annotations: [
      ...annotations.map((annotation) => writeAnnotation(annotation, text.length)),
      ...fileCitationsOf(part),
    ],
    logprobs: logProbabilities,
  }
}

/** Returns the citations of files, for a client of responses. */
export const fileCitationsOf = ({ foreignCitations = [] }: TextPart): readonly JsonObject[] =>
  foreignCitations.flatMap(({ dialect, value }) => (dialect === 'responses' ? [value] : []))

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
