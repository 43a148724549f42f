import type { ImageResult, NewsResult } from '@trivium/gateway-core/ports'
import * as v from 'valibot'
import { isoDate } from '../reading/iso-date.ts'
import { readItems } from '../reading/parse-json.ts'
import { plainText } from '../reading/plain-text.ts'
import { hostOf, webAddress } from '../reading/web-address.ts'

/** The answer of `i.js` and `news.js`. */
export const jsonPage = v.object({ results: v.array(v.unknown()), next: v.optional(v.nullable(v.string())) })

const text = v.optional(v.nullable(v.string()))
const size = v.optional(v.nullable(v.number()))

const article = v.object({
  date: v.optional(v.nullable(v.union([v.number(), v.string()]))),
  title: v.string(),
  excerpt: text,
  url: v.string(),
  image: text,
  source: text,
})

export const newsResults = (items: readonly unknown[]): readonly NewsResult[] =>
  readItems(items, article, ({ date, title, excerpt, url, image, source }) => {
    const address = webAddress(url)
    if (address === undefined) return undefined
    return {
      date: isoDate(date),
      title: plainText(title),
      body: plainText(excerpt ?? ''),
      url: address,
      image: webAddress(image) ?? null,
      source: plainText(source ?? '') || hostOf(address),
    }
  })

const picture = v.object({
  title: v.string(),
  image: v.string(),
  thumbnail: text,
  url: v.string(),
  height: size,
  width: size,
  source: text,
})

export const imageResults = (items: readonly unknown[]): readonly ImageResult[] =>
  readItems(items, picture, ({ title, image, thumbnail, url, height, width, source }) => {
    const address = webAddress(url)
    const picture = webAddress(image)
    if (address === undefined || picture === undefined) return undefined
    return {
      title: plainText(title),
      image: picture,
      thumbnail: webAddress(thumbnail) ?? picture,
      url: address,
      height: height ?? null,
      width: width ?? null,
      source: plainText(source ?? '') || hostOf(address),
    }
  })
