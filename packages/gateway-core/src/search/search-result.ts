export type SearchType = 'text' | 'news' | 'images' | 'suggestions'

export interface TextResult {
  readonly title: string
  readonly href: string
  readonly body: string
}

export interface NewsResult {
  /** ISO 8601; `null` where the engine does not tell. */
  readonly date: string | null
  readonly title: string
  readonly body: string
  readonly url: string
  readonly image: string | null
  readonly source: string
}

export interface ImageResult {
  readonly title: string
  readonly image: string
  readonly thumbnail: string
  /** The page that shows it. */
  readonly url: string
  readonly height: number | null
  readonly width: number | null
  readonly source: string
}

export interface Suggestion {
  readonly phrase: string
}

/** The same shape whatever the engine: plain text without markup, in the engine's order, at most as many as asked for. */
export type SearchResults =
  | { readonly type: 'text'; readonly results: readonly TextResult[] }
  | { readonly type: 'news'; readonly results: readonly NewsResult[] }
  | { readonly type: 'images'; readonly results: readonly ImageResult[] }
  | { readonly type: 'suggestions'; readonly results: readonly Suggestion[] }
