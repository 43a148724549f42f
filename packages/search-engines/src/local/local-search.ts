import type {
  ImageResult,
  NewsResult,
  SearchEngine,
  SearchQuery,
  SearchResults,
  SearchType,
  Suggestion,
} from '@trivium/gateway-core/ports'
import MiniSearch from 'minisearch'
import { excerpt } from './excerpt.ts'

/** A document that can be found. */
export interface LocalDocument {
  /** The address and key of the document. A later document with the same address replaces it. */
  readonly url: string
  readonly title: string
  /** The content as plain text. */
  readonly body: string
  /** If present, searches for news find the document too. */
  readonly publishedAt?: Date
  /** The publisher. @default the host of its address */
  readonly source?: string
  /** If present, searches for images find the document too. */
  readonly image?: LocalImage
  /** Found only with safe search off. @default false */
  readonly explicit?: boolean
}

/** The image of a document. */
export interface LocalImage {
  readonly url: string
  /** The URL of a smaller image. @default the image itself */
  readonly thumbnail?: string
  /** In pixels. @default unknown */
  readonly width?: number
  /** In pixels. @default unknown */
  readonly height?: number
}

/** Options of {@link localSearch}. */
export interface LocalSearchOptions {
  /** The name for the parameter `engine`. @default 'local' */
  readonly id?: string
  /** The documents at the start. @default none */
  readonly documents?: Iterable<LocalDocument>
}

/** An engine over documents in memory. Changes take effect with the next search. */
export interface LocalSearch extends SearchEngine {
  /** Adds documents, and replaces those with the same address. */
  add(documents: Iterable<LocalDocument>): void
  /** Removes the document with an address. @returns whether there was one */
  remove(url: string): boolean
  /** The number of documents. */
  readonly size: number
}

/**
 * Creates an engine over documents of the host, with an index in memory. Results are ranked by BM25, and titles count
 * double. The beginning of a word and small misspellings match. It sends no requests, and ignores regions.
 *
 * @example
 * ```ts
 * import { localSearch } from '@trivium/search-engines/local'
 *
 * const documents = [{ url: 'https://example.com/faq', title: 'FAQ', body: 'Questions and answers' }]
 * export const engine = localSearch({ documents })
 * engine.add([{ url: 'https://example.com/news', title: 'News', body: 'Version 2 is out', publishedAt: new Date() }])
 * ```
 */
export function localSearch({ id = 'local', documents = [] }: LocalSearchOptions = {}): LocalSearch {
  const known = new Map<string, LocalDocument>()
  const index = new MiniSearch<LocalDocument>({
    idField: 'url',
    fields: ['title', 'body'],
    searchOptions: {
      boost: { title: 2 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 3 ? 0.2 : false),
    },
  })

  const remove = (url: string): boolean => {
    if (!known.delete(url)) return false
    index.discard(url)
    return true
  }
  const add = (added: Iterable<LocalDocument>): void => {
    for (const document of added) {
      remove(document.url)
      known.set(document.url, document)
      index.add(document)
    }
  }
  add(documents)

  function find({ text, maxResults, safeSearch }: SearchQuery, fits: (document: LocalDocument) => boolean) {
    const found: { readonly document: LocalDocument; readonly terms: readonly string[] }[] = []
    for (const { id: url, terms } of index.search(text)) {
      const document = known.get(String(url))
      if (!document || !fits(document) || isHidden(document, safeSearch)) continue
      found.push({ document, terms })
      if (found.length === maxResults) break
    }
    return found
  }

  /** Completes or corrects the last word of a query, with words of documents that contain the words before it. */
  function suggest({ text, maxResults, safeSearch }: SearchQuery): readonly Suggestion[] {
    const last = wordsOf(text).at(-1)
    if (last === undefined) return []
    const before = text.slice(0, text.lastIndexOf(last))
    const having =
      wordsOf(before).length === 0
        ? undefined
        : new Set(index.search(before, { combineWith: 'AND' }).map(({ id: url }) => url))
    const scores = new Map<string, number>()
    for (const { id: url, terms, score } of index.search(last, { prefix: true })) {
      const document = known.get(String(url))
      if (!document || isHidden(document, safeSearch) || having?.has(url) === false) continue
      for (const term of terms) scores.set(term, (scores.get(term) ?? 0) + score)
    }
    return [...scores]
      .sort(([, one], [, other]) => other - one)
      .slice(0, maxResults)
      .map(([term]) => ({ phrase: before + term }))
  }

  return {
    id,
    types: new Set<SearchType>(['text', 'news', 'images', 'suggestions']),
    add,
    remove,
    get size() {
      return known.size
    },
    search: async (query): Promise<SearchResults> => {
      switch (query.type) {
        case 'text':
          return {
            type: 'text',
            results: find(query, () => true).map(({ document: { title, url, body }, terms }) => ({
              title,
              href: url,
              body: excerpt(body, terms),
            })),
          }
        case 'news':
          return {
            type: 'news',
            results: find(query, ({ publishedAt }) => publishedAt !== undefined).map(({ document, terms }) =>
              newsResult(document, terms),
            ),
          }
        case 'images':
          return {
            type: 'images',
            results: find(query, ({ image }) => image !== undefined).flatMap(({ document }) => imageResult(document)),
          }
        case 'suggestions':
          return { type: 'suggestions', results: suggest(query) }
      }
    },
  }
}

const isHidden = ({ explicit }: LocalDocument, safeSearch: SearchQuery['safeSearch']): boolean =>
  explicit === true && safeSearch !== 'off'

/** Splits a text into words as the index does. */
const wordsOf = (text: string): readonly string[] => text.match(/[^\n\r\p{Z}\p{P}]+/gu) ?? []

const newsResult = (document: LocalDocument, terms: readonly string[]): NewsResult => ({
  date: document.publishedAt?.toISOString() ?? null,
  title: document.title,
  body: excerpt(document.body, terms),
  url: document.url,
  image: document.image?.url ?? null,
  source: sourceOf(document),
})

const imageResult = ({ image, ...document }: LocalDocument): readonly ImageResult[] =>
  image === undefined
    ? []
    : [
        {
          title: document.title,
          image: image.url,
          thumbnail: image.thumbnail ?? image.url,
          url: document.url,
          height: image.height ?? null,
          width: image.width ?? null,
          source: sourceOf(document),
        },
      ]

const sourceOf = ({ source, url }: LocalDocument): string => source ?? (URL.canParse(url) ? new URL(url).hostname : '')
