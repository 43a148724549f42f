/** The kind of results of a search. */
export type SearchType = 'text' | 'news' | 'images' | 'suggestions'

/** A web page. `body` is an excerpt in plain text. */
export interface TextResult {
  readonly title: string
  readonly href: string
  readonly body: string
}

/** A news article. `body` is an excerpt, and `source` the name of the publisher. */
export interface NewsResult {
  /** ISO 8601, or `null` where the engine does not report it. */
  readonly date: string | null
  readonly title: string
  readonly body: string
  readonly url: string
  readonly image: string | null
  readonly source: string
}

/** An image. Sizes are in pixels, or `null` where the engine does not report them. `source` is the name of the site. */
export interface ImageResult {
  readonly title: string
  readonly image: string
  readonly thumbnail: string
  /** The page that contains the image. */
  readonly url: string
  readonly height: number | null
  readonly width: number | null
  readonly source: string
}

/** A completion of the query. */
export interface Suggestion {
  readonly phrase: string
}

/** Results in the same form for all engines: plain text without markup, in the engine's order, at most `maxResults`. */
export type SearchResults =
  | { readonly type: 'text'; readonly results: readonly TextResult[] }
  | { readonly type: 'news'; readonly results: readonly NewsResult[] }
  | { readonly type: 'images'; readonly results: readonly ImageResult[] }
  | { readonly type: 'suggestions'; readonly results: readonly Suggestion[] }
