import { invalidParameter, unsupportedParameter } from '@trivium/gateway-core/ports'
import { type JsonObject, listOr, objectOr, textOr } from '@trivium/provider-kit/answers'
import type { ContentBlock, MediaBlock, MediaSource, TextBlock } from '../messages-api.ts'

/** Converts a message's content to blocks. Empty texts are omitted, because the Messages API refuses them. */
export function contentBlocks(content: unknown, path: string): readonly ContentBlock[] {
  if (typeof content === 'string') return textBlocks(content)
  return listOr(content).flatMap((part, index) => contentBlock(objectOr(part), `${path}[${index}]`))
}

/** Converts the content of a message that can only have text, such as a system message. */
export function textBlocksOnly(content: unknown, path: string): readonly TextBlock[] {
  return contentBlocks(content, path).map((block, index) => {
    if (block.type === 'text') return block
    throw unsupportedParameter(`${path}[${index}]`, 'Only text is supported in this message.')
  })
}

function contentBlock(part: JsonObject, path: string): readonly ContentBlock[] {
  switch (part.type) {
    case 'text':
      return textBlocks(textOr(part.text), cacheControl(part))
    case 'refusal':
      return textBlocks(textOr(part.refusal))
    case 'image_url':
      return [
        { type: 'image', source: imageSource(objectOr(part.image_url), `${path}.image_url`), ...cacheControl(part) },
      ]
    case 'file':
      return [{ ...document(objectOr(part.file), `${path}.file`), ...cacheControl(part) }]
    default:
      throw unsupportedParameter(path, `This model does not accept content of type '${textOr(part.type)}'.`)
  }
}

const textBlocks = (text: string, cached: { readonly cache_control?: unknown } = {}): readonly TextBlock[] =>
  text === '' ? [] : [{ type: 'text', text, ...cached }]

function imageSource(image: JsonObject, path: string): MediaSource {
  const url = textOr(image.url)
  const data = base64Data(url)
  if (data) return data
  if (/^https?:\/\//i.test(url)) return { type: 'url', url }
  throw invalidParameter(`${path}.url`, 'An image must be a base64 data URL or an http(s) URL.')
}

function document(file: JsonObject, path: string): MediaBlock {
  const source = base64Data(textOr(file.file_data))
  if (!source) throw unsupportedParameter(path, 'A file needs file_data with a base64 data URL.')
  const title = textOr(file.filename)
  return { type: 'document', source, ...(title === '' ? {} : { title }) }
}

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)(?:;[\w-]+=[^;,]*)*;base64,/i

function base64Data(url: string): MediaSource | undefined {
  const [head, mediaType] = DATA_URL.exec(url.slice(0, 256)) ?? []
  if (head === undefined || mediaType === undefined) return undefined
  return { type: 'base64', media_type: mediaType.toLowerCase(), data: url.slice(head.length) }
}

/** Reads `cache_control`, as clients of the Messages API send it, or OpenAI's `prompt_cache_breakpoint`. */
export function cacheControl(part: JsonObject): { readonly cache_control?: unknown } {
  if (part.cache_control !== undefined) return { cache_control: part.cache_control }
  const { mode, ttl } = objectOr(part.prompt_cache_breakpoint)
  if (mode !== 'explicit') return {}
  return { cache_control: { type: 'ephemeral', ...(ttl === undefined ? {} : { ttl }) } }
}
