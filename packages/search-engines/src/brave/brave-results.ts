import type { ImageResult, NewsResult, TextResult } from '@trivium/gateway-core/ports'
import * as v from 'valibot'
import { isoDate } from '../reading/iso-date.ts'
import { parseJson, readItems } from '../reading/parse-json.ts'
import { plainText } from '../reading/plain-text.ts'
import { hostOf, webAddress } from '../reading/web-address.ts'

/** The results of one page, and whether there is another page. */
export interface BravePage<Result> {
  readonly results: readonly Result[]
  readonly more: boolean
}

const text = v.optional(v.nullable(v.string()))
const items = v.array(v.unknown())
const query = v.optional(v.object({ more_results_available: v.optional(v.nullable(v.boolean())) }))

const webPage = v.object({ query, web: v.optional(v.nullable(v.object({ results: items }))) })
const page = v.object({ url: v.string(), title: v.string(), description: text })

export function textResults(json: string): BravePage<TextResult> {
  const answer = parseJson(json, webPage)
  const results = readItems(answer.web?.results ?? [], page, ({ url, title, description }) => {
    const href = webAddress(url)
    return href === undefined ? undefined : { title: plainText(title), href, body: plainText(description ?? '') }
  })
  return { results, more: answer.query?.more_results_available === true }
}

const newsPage = v.object({ query, results: items })
const article = v.object({
  ...page.entries,
  page_age: text,
  meta_url: v.optional(v.nullable(v.object({ hostname: text }))),
  thumbnail: v.optional(v.nullable(v.object({ src: text }))),
})

export function newsResults(json: string): BravePage<NewsResult> {
  const answer = parseJson(json, newsPage)
  const results = readItems(answer.results, article, ({ url, title, description, page_age, meta_url, thumbnail }) => {
    const address = webAddress(url)
    if (address === undefined) return undefined
    return {
      date: isoDate(page_age),
      title: plainText(title),
      body: plainText(description ?? ''),
      url: address,
      image: webAddress(thumbnail?.src) ?? null,
      source: plainText(meta_url?.hostname ?? '') || hostOf(address),
    }
  })
  // If the API does not report whether there is more, a page without new results ends the search.
  return { results, more: answer.query?.more_results_available !== false && answer.results.length > 0 }
}

const size = v.optional(v.nullable(v.number()))
const picture = v.object({
  url: v.string(),
  title: v.string(),
  source: text,
  thumbnail: v.optional(v.nullable(v.object({ src: text }))),
  properties: v.object({ url: v.string(), width: size, height: size }),
})

export function imageResults(json: string): BravePage<ImageResult> {
  const { results } = parseJson(json, v.object({ results: items }))
  return {
    more: false,
    results: readItems(results, picture, ({ url, title, source, thumbnail, properties }) => {
      const address = webAddress(url)
      const image = webAddress(properties.url)
      if (address === undefined || image === undefined) return undefined
      return {
        title: plainText(title),
        image,
        thumbnail: webAddress(thumbnail?.src) ?? image,
        url: address,
        height: properties.height ?? null,
        width: properties.width ?? null,
        source: plainText(source ?? '') || hostOf(address),
      }
    }),
  }
}

const suggestion = v.object({ query: v.string() })

export const suggestionResults = (json: string): readonly string[] =>
  readItems(parseJson(json, v.object({ results: items })).results, suggestion, ({ query: phrase }) => phrase)
