import { invalidParameter, unsupportedParameter } from '../../providers/refused-parameter.ts'
import type {
  FilePart,
  ForeignPart,
  ImagePart,
  InputPart,
  ReasoningPart,
  TextPart,
} from '../conversation/conversation-parts.ts'
import type { JsonObject } from '../dialect.ts'
import { listOr, objectOr, present, textIn, textOr } from '../json-values.ts'
import { cacheMarkOf } from './cache-mark.ts'
import { mediaSourceOf } from './media-source.ts'

/** Reads the content of a user or a tool. @param at the place of the content */
export function readInput(content: unknown, at: string): readonly InputPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content, at }]
  return listOr(content).map((part, index) => readPart(objectOr(part), `${at}[${index}]`))
}

/** Reads the content of a message that can only have text. */
export function readText(content: unknown, at: string): readonly TextPart[] {
  return readInput(content, at).map((part, index) => {
    if (part.type === 'text') return part
    throw unsupportedParameter(part.at ?? `${at}[${index}]`, 'Only text is supported in this message.')
  })
}

export function readPart(part: JsonObject, at: string): InputPart {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: textOr(part.text), ...cacheMarkOf(part), at }
    case 'refusal':
      return { type: 'text', text: textOr(part.refusal), at }
    case 'image_url':
      return readImage(part, at)
    case 'input_audio': {
      const { data, format } = objectOr(part.input_audio)
      return { type: 'audio', data: textOr(data), format: textOr(format), at }
    }
    case 'file':
      return readFile(part, at)
    case 'document_url':
      return readDocument(part, at)
    default:
      return foreignPart(part, at)
  }
}

export const foreignPart = (part: JsonObject, at: string): ForeignPart => ({
  type: 'foreign',
  dialect: 'chat',
  name: textOr(part.type, 'part'),
  value: part,
  at,
})

/** Reads an image, whose `image_url` is an object or a text. */
export function readImage(part: JsonObject, at: string): ImagePart {
  const image = typeof part.image_url === 'string' ? { url: part.image_url } : objectOr(part.image_url)
  const source = mediaSourceOf(textOr(image.url))
  if (!source) {
    throw invalidParameter(
      `${at}.image_url${typeof part.image_url === 'string' ? '' : '.url'}`,
      'An image must be a base64 data URL or an http(s) URL.',
    )
  }
  return { type: 'image', source, ...present({ detail: textIn(objectOr(image).detail) }), ...cacheMarkOf(part), at }
}

function readFile(part: JsonObject, at: string): FilePart {
  const file = objectOr(part.file)
  const name = present({ name: textIn(file.filename) })
  const id = textIn(file.file_id)
  const source = id === undefined ? mediaSourceOf(textOr(file.file_data)) : { type: 'file-id' as const, id }
  if (!source) throw unsupportedParameter(`${at}.file`, 'A file needs file_data with a base64 data URL, or a file_id.')
  return { type: 'file', source, ...name, ...cacheMarkOf(part), at }
}

function readDocument(part: JsonObject, at: string): FilePart {
  const url = typeof part.document_url === 'string' ? part.document_url : textOr(objectOr(part.document_url).url)
  const source = mediaSourceOf(url)
  if (!source) throw invalidParameter(`${at}.document_url`, 'A document must be a base64 data URL or an http(s) URL.')
  return { type: 'file', source, ...present({ name: textIn(part.document_name) }), ...cacheMarkOf(part), at }
}

/** Reads reasoning in a content, as Mistral writes it: a list of texts, or a text with a signature. */
export function readThinking(part: JsonObject): ReasoningPart {
  const { thinking } = part
  const text =
    typeof thinking === 'string'
      ? thinking
      : listOr(thinking)
          .map((one) => textOr(objectOr(one).text))
          .join('')
  return { type: 'reasoning', text, summary: [], ...present({ signature: textIn(part.signature) }) }
}

/** Reads the extensions of a message: blocks with signatures, or the reasoning as a text. */
export function readReasoning(message: JsonObject, at?: string): readonly ReasoningPart[] {
  const blocks = listOr(message.thinking_blocks).map(objectOr)
  const parts = blocks.flatMap((block, index): readonly ReasoningPart[] => {
    const blockAt = at === undefined ? {} : { at: `${at}.thinking_blocks[${index}]` }
    if (block.type === 'redacted_thinking') {
      return [{ type: 'reasoning', text: '', summary: [], redacted: textOr(block.data), ...blockAt }]
    }
    return block.type === 'thinking' ? [{ ...readThinking(block), ...blockAt }] : []
  })
  if (parts.length > 0) return parts
  const name = textIn(message.reasoning_content) === undefined ? 'reasoning' : 'reasoning_content'
  const text = textIn(message[name])
  if (text === undefined) return []
  return [{ type: 'reasoning', text, summary: [], ...(at === undefined ? {} : { at: `${at}.${name}` }) }]
}
