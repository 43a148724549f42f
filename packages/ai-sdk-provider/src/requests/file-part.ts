import { invalidParameter, unsupportedParameter } from '@trivium/gateway-core/ports'
import { type JsonObject, objectOr, textOr } from '@trivium/provider-kit/answers'
import type { FilePart } from './prompt-message.ts'

/**
 * Converts an image, audio or document of a message. URLs are passed on, and the model decides whether it fetches them.
 */
export function filePart(part: JsonObject, path: string): FilePart {
  switch (part.type) {
    case 'image_url': {
      const url = textOr(objectOr(part.image_url).url)
      return dataFile(url) ?? urlFile(url, `${path}.image_url.url`)
    }
    case 'input_audio': {
      const { data, format } = objectOr(part.input_audio)
      const mediaType = format === 'mp3' ? 'audio/mpeg' : `audio/${textOr(format, 'wav')}`
      return { type: 'file', mediaType, data: { type: 'data', data: textOr(data) } }
    }
    case 'file': {
      const { file_data, filename } = objectOr(part.file)
      const file = dataFile(textOr(file_data))
      if (!file) throw unsupportedParameter(`${path}.file`, 'A file needs file_data with a base64 data URL.')
      return typeof filename === 'string' ? { ...file, filename } : file
    }
    default:
      throw unsupportedParameter(path, `This model does not accept content of type '${textOr(part.type)}'.`)
  }
}

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)(?:;[\w-]+=[^;,]*)*;base64,/i

function dataFile(url: string): FilePart | undefined {
  const [head, mediaType] = DATA_URL.exec(url.slice(0, 256)) ?? []
  if (head === undefined || mediaType === undefined) return undefined
  return { type: 'file', mediaType: mediaType.toLowerCase(), data: { type: 'data', data: url.slice(head.length) } }
}

function urlFile(text: string, path: string): FilePart {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
    throw invalidParameter(path, 'An image must be a base64 data URL or an http(s) URL.')
  }
  return { type: 'file', mediaType: 'image/*', data: { type: 'url', url: new URL(text) } }
}
