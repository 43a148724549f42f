import type { ImageResult, NewsResult, TextResult } from '@trivium/gateway-core/ports'
import * as v from 'valibot'
import { isoDate } from '../reading/iso-date.ts'
import { readItems } from '../reading/parse-json.ts'
import { plainText } from '../reading/plain-text.ts'
import { hostOf, webAddress } from '../reading/web-address.ts'

export const searxngPage = v.object({
  results: v.array(v.unknown()),
  unresponsive_engines: v.optional(v.array(v.array(v.unknown())), []),
})

export type SearxngPage = v.InferOutput<typeof searxngPage>

const text = v.optional(v.nullable(v.string()))

const page = v.object({ url: v.string(), title: v.string(), content: text })

export const textResults = ({ results }: SearxngPage): readonly TextResult[] =>
  readItems(results, page, ({ url, title, content }) => {
    const href = webAddress(url)
    return href === undefined ? undefined : { title: plainText(title), href, body: plainText(content ?? '') }
  })

const article = v.object({
  ...page.entries,
  publishedDate: text,
  source: text,
  img_src: text,
  thumbnail: text,
})

export const newsResults = ({ results }: SearxngPage, base: string): readonly NewsResult[] =>
  readItems(results, article, ({ url, title, content, publishedDate, source, img_src, thumbnail }) => {
    const address = webAddress(url)
    if (address === undefined) return undefined
    return {
      date: isoDate(publishedDate),
      title: plainText(title),
      body: plainText(content ?? ''),
      url: address,
      image: webAddress(img_src, base) ?? webAddress(thumbnail, base) ?? null,
      source: plainText(source ?? '') || hostOf(address),
    }
  })

const picture = v.object({
  url: v.string(),
  title: v.string(),
  img_src: v.string(),
  thumbnail_src: text,
  resolution: text,
  source: text,
  engine: text,
})

export const imageResults = ({ results }: SearxngPage, base: string): readonly ImageResult[] =>
  readItems(results, picture, ({ url, title, img_src, thumbnail_src, resolution, source, engine }) => {
    const address = webAddress(url)
    const image = webAddress(img_src, base)
    if (address === undefined || image === undefined) return undefined
    const [, width, height] = /(\d{1,6})\s*[x×]\s*(\d{1,6})/i.exec(resolution ?? '') ?? []
    return {
      title: plainText(title),
      image,
      thumbnail: webAddress(thumbnail_src, base) ?? image,
      url: address,
      height: height === undefined ? null : Number(height),
      width: width === undefined ? null : Number(width),
      source: plainText(source ?? engine ?? '') || hostOf(address),
    }
  })
