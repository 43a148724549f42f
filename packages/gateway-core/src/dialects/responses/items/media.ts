import { invalidParameter } from '../../../providers/refused-parameter.ts'
import { toBase64 } from '../../base64-text.ts'
import type { FilePart, ImagePart, MediaSource } from '../../conversation/conversation-parts.ts'
import type { JsonObject } from '../../dialect.ts'
import { present, textOf } from '../../json-values.ts'
import { cacheControlOf } from './cache-mark.ts'

/** The end of the head of a data URL in base64. */
const BASE64 = ';base64'

const DEFAULT_TYPE = 'application/pdf'

const DATA = 'data:'

/**
 * Reads an address, which may be a data URL in base64.
 *
 * @throws ProviderFailure for another data URL
 */
export function sourceOf(url: string, at: string): MediaSource {
  if (url.slice(0, DATA.length).toLowerCase() !== DATA) return { type: 'url', url }
  const comma = url.indexOf(',')
  const end = comma - BASE64.length
  if (url.slice(Math.max(0, end), Math.max(0, comma)).toLowerCase() !== BASE64) {
    throw invalidParameter(at, 'A data URL must be in base64.')
  }
  return { type: 'base64', mediaType: url.slice(DATA.length, end), data: url.slice(comma + 1) }
}

/** Writes the bytes of a source as a data URL, or its address. */
export const urlOf = (source: Exclude<MediaSource, { readonly type: 'file-id' }>): string =>
  source.type === 'url' ? source.url : `data:${source.mediaType}${BASE64},${source.data}`

export function readImage(part: JsonObject, at: string): ImagePart {
  const url = textOf(part.image_url)
  const id = textOf(part.file_id)
  if (url === undefined && id === undefined) {
    throw invalidParameter(at, `'${at}' must have 'image_url' or 'file_id'.`)
  }
  const source = url === undefined ? fileId(id) : sourceOf(url, `${at}.image_url`)
  return present({ type: 'image', source, detail: textOf(part.detail), cacheControl: cacheControlOf(part), at })
}

export function readFile(part: JsonObject, at: string): FilePart {
  return present({
    type: 'file',
    source: fileSource(part, at),
    name: textOf(part.filename),
    cacheControl: cacheControlOf(part),
    at,
  })
}

const fileId = (id = ''): MediaSource => ({ type: 'file-id', id })

function fileSource(part: JsonObject, at: string): MediaSource {
  const data = textOf(part.file_data)
  if (data !== undefined) {
    const source = sourceOf(data, `${at}.file_data`)
    return source.type === 'base64' ? source : { type: 'base64', mediaType: DEFAULT_TYPE, data }
  }
  const url = textOf(part.file_url)
  if (url !== undefined) return sourceOf(url, `${at}.file_url`)
  const id = textOf(part.file_id)
  if (id !== undefined) return fileId(id)
  throw invalidParameter(at, `'${at}' must have 'file_data', 'file_url' or 'file_id'.`)
}

export function writeImage({ source, detail = 'auto' }: ImagePart): JsonObject {
  const place = source.type === 'file-id' ? { file_id: source.id } : { image_url: urlOf(source) }
  return { type: 'input_image', ...place, detail }
}

export function writeFile({ source, name, at }: FilePart): JsonObject {
  if (source.type === 'file-id') return present({ type: 'input_file', file_id: source.id, filename: name })
  if (source.type === 'url') return present({ type: 'input_file', file_url: source.url, filename: name })
  // A document without a name is refused by OpenAI.
  if (source.type === 'text') {
    const filename = name === undefined ? 'a.txt' : withExtension(name)
    return { type: 'input_file', file_data: plainText(source.text, at ?? 'input'), filename }
  }
  return present({ type: 'input_file', file_data: urlOf(source), filename: name ?? `a.${suffixOf(source.mediaType)}` })
}

/** OpenAI knows a file by the extension of its name, which titles of documents lack. */
const withExtension = (name: string): string => (/\.[a-z][a-z0-9]{0,7}$/i.test(name) ? name : `${name}.txt`)

const suffixOf = (mediaType: string): string => /^\w+\/(\w{1,8})$/.exec(mediaType)?.[1] ?? 'pdf'

/** The most characters of a document of text, which is encoded in one turn of the event loop. */
const MOST_TEXT = 2 ** 22

function plainText(text: string, at = 'input'): string {
  if (text.length <= MOST_TEXT) return `data:text/plain${BASE64},${toBase64(text)}`
  throw invalidParameter(at, `A document of text must have at most ${MOST_TEXT} characters with this model.`)
}
