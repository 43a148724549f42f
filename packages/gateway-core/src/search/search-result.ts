/** What is looked for. An engine names the types that it supports. */
export type SearchType = 'text' | 'news' | 'images' | 'suggestions'

/** A page found. `body` is an excerpt in plain text. */
export interface TextResult {
  readonly title: string
  readonly href: string
  readonly body: string
}

/** An article found. `body` is an excerpt; `source` names the publisher. */
export interface NewsResult {
  /** ISO 8601; `null` where the engine does not tell. */
  readonly date: string | null
  readonly title: string
  readonly body: string
  readonly url: string
  readonly image: string | null
  readonly source: string
}

/** A picture found. Sizes are in pixels, `null` where the engine does not say; `source` names the site. */
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

/** A completion of what was typed. */
export interface Suggestion {
  readonly phrase: string
}

/** The same shape whatever the engine: plain text without markup, in the engine's order, at most as many as asked for. */
export type SearchResults =
  | { readonly type: 'text'; readonly results: readonly TextResult[] }
  | { readonly type: 'news'; readonly results: readonly NewsResult[] }
  | { readonly type: 'images'; readonly results: readonly ImageResult[] }
  | { readonly type: 'suggestions'; readonly results: readonly Suggestion[] }
