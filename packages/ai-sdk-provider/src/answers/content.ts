import { isObject, type JsonObject, textOr } from '@trivium/provider-kit/answers'

/** A page that the model used, cited at the place where it says so. */
export const annotation = ({ url, title }: JsonObject, place: number): JsonObject => ({
  type: 'url_citation',
  url_citation: { start_index: place, end_index: place, url: textOr(url), title: textOr(title) },
})

/** A picture that a language model drew, in the form that chat clients know pictures in. */
export function image({ mediaType, data }: JsonObject): readonly JsonObject[] {
  const tagged = isObject(data) && !(data instanceof Uint8Array)
  if (tagged && data.type === 'url') return [imageUrl(String(data.url))]
  const content = tagged ? data.data : data
  const base64 = content instanceof Uint8Array ? Buffer.from(content).toString('base64') : textOr(content)
  return base64 === '' ? [] : [imageUrl(`data:${textOr(mediaType)};base64,${base64}`)]
}

const imageUrl = (url: string): JsonObject => ({ type: 'image_url', image_url: { url } })
