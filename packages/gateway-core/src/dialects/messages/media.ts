import { fromBase64 } from '../base64-text.ts'
import type { FilePart, ImagePart, MediaSource } from '../conversation/conversation-parts.ts'
import type { JsonObject } from '../dialect.ts'
import { listOr, objectOr, textIn, textOr } from '../json-values.ts'
import { given } from './fields.ts'

/** Reads the source of an image. `undefined` for a kind that only Anthropic has. */
export function sourceFrom(source: JsonObject, mediaType: string): MediaSource | undefined {
  switch (source.type) {
    case 'base64':
      return { type: 'base64', mediaType: textIn(source.media_type) ?? mediaType, data: textOr(source.data) }
    case 'url':
      return { type: 'url', url: textOr(source.url) }
    case 'file':
      return { type: 'file-id', id: textOr(source.file_id) }
    default:
      return undefined
  }
}

/** Reads the source of a document, which may be text. */
export function documentSourceFrom(source: JsonObject): FilePart['source'] | undefined {
  if (source.type === 'text') return { type: 'text', text: textOr(source.data) }
  if (source.type !== 'content') return sourceFrom(source, 'application/pdf')
  if (typeof source.content === 'string') return { type: 'text', text: source.content }
  const blocks = listOr(source.content).map(objectOr)
  if (blocks.some(({ type }) => type !== 'text')) return undefined
  return { type: 'text', text: blocks.map(({ text }) => textOr(text)).join('\n\n') }
}

const imageTypes: ReadonlyMap<string, string> = new Map([
  ['image/jpg', 'image/jpeg'],
  ['image/pjpeg', 'image/jpeg'],
  ...['image/jpeg', 'image/png', 'image/gif', 'image/webp'].map((type) => [type, type] as const),
])

/** Returns Anthropic's name of the type of an image. `undefined` for one that it does not take. */
export const imageTypeOf = (mediaType: string): string | undefined => imageTypes.get(plainType(mediaType))

/** Returns Anthropic's name of the type of a document. `undefined` for one that it does not take. */
export function documentTypeOf(mediaType: string): string | undefined {
  const type = plainType(mediaType)
  return type === 'application/pdf' || isText(type) ? type : imageTypes.get(type)
}

/** Types have parameters, such as `charset`. */
const plainType = (mediaType: string): string => (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase()

/** Writes a source of bytes. */
export function sourceOf(source: MediaSource): JsonObject {
  switch (source.type) {
    case 'base64':
      return { type: 'base64', media_type: source.mediaType, data: source.data }
    case 'url':
      return { type: 'url', url: source.url }
    case 'file-id':
      return { type: 'file', file_id: source.id }
  }
}

/** Writes an image. */
export const imageOf = ({ source, cacheControl }: ImagePart): JsonObject => ({
  type: 'image',
  source: sourceOf(source),
  ...given('cache_control', cacheControl),
})

/** Writes a document. Texts in base64 become texts, which are the only other documents that Anthropic takes. */
export function documentOf({ source, name, context, citations, cacheControl }: FilePart): JsonObject {
  if (source.type === 'base64' && source.mediaType.startsWith('image/')) {
    return { type: 'image', source: sourceOf(source), ...given('cache_control', cacheControl) }
  }
  return {
    type: 'document',
    source: documentSourceOf(source),
    ...given('title', textIn(name)),
    ...given('context', context),
    ...(citations === undefined ? {} : { citations: { enabled: citations } }),
    ...given('cache_control', cacheControl),
  }
}

function documentSourceOf(source: FilePart['source']): JsonObject {
  if (source.type === 'text') return { type: 'text', media_type: 'text/plain', data: source.text }
  if (source.type !== 'base64' || !isText(source.mediaType)) return sourceOf(source)
  return { type: 'text', media_type: 'text/plain', data: fromBase64(source.data) }
}

const isText = (mediaType: string): boolean => mediaType.startsWith('text/') || mediaType === 'application/json'
