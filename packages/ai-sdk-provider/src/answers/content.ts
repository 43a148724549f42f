import { isObject, type JsonObject, textOr } from '@trivium/provider-kit/answers'

/** Converts a web source to a citation at an offset in the text. */
export const annotation = ({ url, title }: JsonObject, place: number): JsonObject => ({
  type: 'url_citation',
  url_citation: { start_index: place, end_index: place, url: textOr(url), title: textOr(title) },
})

/** Converts an image of a language model to the format of chat completions. Empty if it has no data. */
export function image({ mediaType, data }: JsonObject): readonly JsonObject[] {
  const tagged = isObject(data) && !(data instanceof Uint8Array)
  if (tagged && data.type === 'url') return [imageUrl(String(data.url))]
  const content = tagged ? data.data : data
  const base64 = content instanceof Uint8Array ? Buffer.from(content).toString('base64') : textOr(content)
  return base64 === '' ? [] : [imageUrl(`data:${textOr(mediaType)};base64,${base64}`)]
}

const imageUrl = (url: string): JsonObject => ({ type: 'image_url', image_url: { url } })
