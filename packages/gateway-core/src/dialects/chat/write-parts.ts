import { unsupportedParameter } from '../../providers/refused-parameter.ts'
import type { FilePart, ImagePart, InputPart } from '../conversation/conversation-parts.ts'
import type { JsonObject } from '../dialect.ts'
import { present } from '../json-values.ts'
import { urlOf } from './media-source.ts'
import type { RequestScope } from './request-scope.ts'

/** Writes what a user says. A single text without a mark is a text, all else a list of parts. */
export function writeInput(
  parts: readonly InputPart[],
  at: string,
  scope: RequestScope,
): string | readonly JsonObject[] {
  return plain(parts.flatMap((part) => writePart(part, part.at ?? at, scope)))
}

/** Writes a list with a single text as that text. */
export function plain(parts: readonly JsonObject[]): string | readonly JsonObject[] {
  const [only, ...more] = parts
  if (only === undefined) return ''
  const isPlain = more.length === 0 && only.type === 'text' && only.cache_control === undefined
  return isPlain && typeof only.text === 'string' ? only.text : parts
}

export function writePart(part: InputPart, at: string, scope: RequestScope): readonly JsonObject[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: part.text, ...scope.mark(part) }]
    case 'image':
      return [writeImage(part, at, scope)]
    case 'audio':
      return [{ type: 'input_audio', input_audio: { data: part.data, format: part.format } }]
    case 'file':
      return writeFile(part, at, scope)
    case 'foreign':
      if (part.dialect === 'chat') return [{ ...objectOf(part.value) }]
      throw unsupportedParameter(at, `This model does not accept content of type '${part.name}'.`)
  }
}

const objectOf = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {})

function writeImage(part: ImagePart, at: string, scope: RequestScope): JsonObject {
  const url = urlOf(part.source)
  if (url === undefined) throw unsupportedParameter(at, 'This model does not accept an image by the id of a file.')
  return { type: 'image_url', image_url: { url, ...present({ detail: detailOf(part) }) }, ...scope.mark(part) }
}

/** Codex requests the original size, which many upstreams of chat completions refuse. */
const detailOf = ({ detail }: ImagePart): string | undefined => (detail === 'original' ? 'high' : detail)

/** OpenAI requires a name for the bytes of a file. */
const FILE_NAME = 'document'

/** A document of text becomes a text, and its description precedes it. */
function writeFile(part: FilePart, at: string, scope: RequestScope): readonly JsonObject[] {
  const { source, name, context } = part
  if (part.citations === true) {
    throw unsupportedParameter(`${at}.citations`, 'This model does not cite documents.')
  }
  const about = context === undefined ? [] : [{ type: 'text', text: context }]
  switch (source.type) {
    case 'text': {
      const text = name === undefined ? source.text : `${name}\n\n${source.text}`
      return [...about, { type: 'text', text, ...scope.mark(part) }]
    }
    case 'file-id':
      if (scope.request.dialect !== 'chat') {
        throw unsupportedParameter(at, 'This model does not accept a document by the id of a file.')
      }
      return [{ type: 'file', file: { file_id: source.id, ...present({ filename: name }) }, ...scope.mark(part) }]
    case 'url':
      if (scope.request.dialect !== 'chat') {
        throw unsupportedParameter(at, 'This model does not accept a document by its URL.')
      }
      return [
        { type: 'document_url', document_url: source.url, ...present({ document_name: name }), ...scope.mark(part) },
      ]
    case 'base64': {
      const file = { filename: name ?? FILE_NAME, file_data: urlOf(source) }
      return [...about, { type: 'file', file, ...scope.mark(part) }]
    }
  }
}
