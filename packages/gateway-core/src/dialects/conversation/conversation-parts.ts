import type { Dialect, JsonObject } from '../dialect.ts'

/** A mark of Anthropic's prompt cache, which the other dialects pass on to it. */
export interface CacheMark {
  /** As the client sent it: `{ type: 'ephemeral', ttl: '5m' }`. */
  readonly cacheControl?: unknown
  /** The client's name of the mark. @default that of its dialect */
  readonly markName?: string
}

/** A part of what a user, a tool or the system says. `at` is the place in the client's request. */
export type InputPart = TextPart | ImagePart | AudioPart | FilePart | ForeignPart

/** A part of what the model says. */
export type OutputPart =
  | TextPart
  | RefusalPart
  | ReasoningPart
  | ToolCallPart
  | SearchCallPart
  | ImagePart
  | ForeignPart

/** Text, with the sources that it cites. */
export interface TextPart extends CacheMark {
  readonly type: 'text'
  readonly text: string
  /** @default none */
  readonly annotations?: readonly Annotation[]
  /** Citations of documents and files, which only clients of the upstream's own dialect can request. @default none */
  readonly foreignCitations?: readonly ForeignCitation[]
  /** Log probabilities of the tokens, in OpenAI's form. */
  readonly logProbabilities?: readonly unknown[]
  readonly at?: string
}

/** A citation that only one dialect has, as its upstream sent it. */
export interface ForeignCitation {
  readonly dialect: Dialect
  readonly value: JsonObject
}

/** A source of a text. Places are in UTF-16 code units of that text. */
export interface Annotation {
  readonly url: string
  readonly title?: string
  readonly start?: number
  readonly end?: number
  /** The words of the source. */
  readonly quote?: string
  /** Anthropic's `encrypted_index` of a search result. */
  readonly encryptedIndex?: string
}

/** Why the model does not answer. */
export interface RefusalPart {
  readonly type: 'refusal'
  readonly text: string
  readonly at?: string
}

/** What the model thought. An upstream may verify `signature`, `encrypted` and `redacted`, which stay as they are. */
export interface ReasoningPart {
  readonly type: 'reasoning'
  /** The reasoning itself; empty where the upstream does not show it. */
  readonly text: string
  /** Summaries of it. */
  readonly summary: readonly string[]
  /** OpenAI's id of the item. */
  readonly id?: string
  /** Anthropic's signature of `text`. */
  readonly signature?: string
  /** OpenAI's encrypted reasoning. */
  readonly encrypted?: string
  /** Anthropic's redacted thinking. */
  readonly redacted?: string
  readonly at?: string
}

/** A call of a tool. */
export interface ToolCallPart extends CacheMark {
  readonly type: 'tool-call'
  readonly callId: string
  readonly kind: 'function' | 'custom'
  readonly name: string
  readonly namespace?: string
  /** The arguments as JSON text, which may be malformed, or the input of a custom tool. */
  readonly input: string
  /** OpenAI's id of the item. */
  readonly id?: string
  readonly at?: string
}

/** A search of the web that an upstream or the gateway made. */
export interface SearchCallPart {
  readonly type: 'search-call'
  readonly id: string
  readonly query: string
  readonly failed?: true
  /** Anthropic's `encrypted_content` lets its models read a result again. @default unknown */
  readonly results?: readonly {
    readonly url: string
    readonly title?: string
    readonly encryptedContent?: string
    readonly pageAge?: string
  }[]
  readonly at?: string
}

/** An image. */
export interface ImagePart extends CacheMark {
  readonly type: 'image'
  readonly source: MediaSource
  /** OpenAI's `auto`, `low`, `high` or `original`. */
  readonly detail?: string
  readonly at?: string
}

/** A document. */
export interface FilePart extends CacheMark {
  readonly type: 'file'
  readonly source: MediaSource | { readonly type: 'text'; readonly text: string }
  readonly name?: string
  /** Anthropic's description of a document for the model. */
  readonly context?: string
  /** Whether the answer may cite it, as in Anthropic's `citations.enabled`. */
  readonly citations?: boolean
  readonly at?: string
}

/** Sound, as base64. */
export interface AudioPart {
  readonly type: 'audio'
  readonly data: string
  /** Such as `wav`. */
  readonly format: string
  readonly at?: string
}

/** Where the bytes of an image or a document are. `data` is base64. */
export type MediaSource =
  | { readonly type: 'base64'; readonly mediaType: string; readonly data: string }
  | { readonly type: 'url'; readonly url: string }
  | { readonly type: 'file-id'; readonly id: string }

/** A part that only one dialect has, such as a call of a hosted tool. */
export interface ForeignPart {
  readonly type: 'foreign'
  readonly dialect: Dialect
  /** The client's name of it, usually its `type`. */
  readonly name: string
  /** As it was sent. */
  readonly value: unknown
  readonly at?: string
}
