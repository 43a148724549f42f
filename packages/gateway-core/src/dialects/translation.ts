import type { ProviderError } from '../providers/provider-error.ts'
import type { ConversationAnswer, ConversationEvent } from './conversation/conversation-answer.ts'
import type { ConversationRequest } from './conversation/conversation-request.ts'
import type { Dialect, JsonObject } from './dialect.ts'

/**
 * How one dialect is read into the inner form and written from it. What a writer cannot carry it refuses with
 * `unsupportedParameter(at, message)` or `invalidParameter`, named by the client's own names; only tools that are merely
 * offered, hints without an effect on the answer's meaning, and members below the top level that the reader does not know
 * are left out and listed in `omitted`.
 */
export interface DialectTranslation {
  readonly dialect: Dialect
  /** @throws ProviderFailure for what the inner form cannot carry */
  readRequest(body: JsonObject): ConversationRequest
  /** @throws ProviderFailure for what this dialect cannot carry */
  writeRequest(request: ConversationRequest, options: WriteRequestOptions): WrittenRequest
  /** @throws ProviderFailure of type `malformed` for what is not an answer of this dialect */
  readAnswer(answer: JsonObject, context: AnswerContext): ConversationAnswer
  writeAnswer(answer: ConversationAnswer, context: AnswerContext): JsonObject
  /** Creates the reader of one stream. */
  readEvents(context: AnswerContext): EventReader
  /** Creates the writer of one stream. */
  writeEvents(context: AnswerContext): EventWriter
}

/** What a writer of requests has to know of the upstream. */
export interface WriteRequestOptions {
  /** The upstream's own id of the model. */
  readonly model: string
  /** Whether the upstream has custom tools. Without them a function with the parameter `input` replaces each. */
  readonly customTools: boolean
  /** The limit of the answer where the request has none and the dialect requires one. */
  readonly defaultMaxTokens: number
  /** How the models of a messages upstream reason: by a budget, or as they decide. */
  readonly reasoning: 'adaptive' | 'budget'
  /** Whether cache marks are added where the client set none. */
  readonly cacheBreakpoints: boolean
}

/** A request in the dialect of the upstream. */
export interface WrittenRequest {
  readonly body: JsonObject
  /** The client's names of what was left out: `web_search`, `prompt_cache_key`. */
  readonly omitted: readonly string[]
}

/** What readers and writers of answers have to know of the request. */
export interface AnswerContext {
  /** The client's body, which responses repeat in their answers. */
  readonly requested: JsonObject
  /** What the client requested, which names its custom tools and namespaces. */
  readonly request: ConversationRequest
  /** Names of custom tools that were offered as functions. */
  readonly customAsFunctions: ReadonlySet<string>
  /** Seconds since 1970, where the upstream reports no time. */
  readonly now: number
  /** The id of the client's answer, where the gateway has named it before, as for responses in the background. */
  readonly answerId?: string
  /** Estimates the input, for streams whose first event has a count that the upstream reports in its last one. */
  readonly estimateInput?: () => number
  /** Creates unique ids, without a prefix. */
  readonly newId: () => string
}

/** Reads the events of one stream of an upstream. */
export interface EventReader {
  /** @param name the `event:` field @param value the parsed `data:` @returns the steps of the answer, in order */
  read(name: string | undefined, value: JsonObject): readonly ConversationEvent[]
  /** Called at the upstream's regular end, such as `[DONE]`. @returns the last steps; without `finish` it was cut */
  end(): readonly ConversationEvent[]
}

/** Writes the events of one stream for a client. */
export interface EventWriter {
  /** @returns the text of server-sent events, blank lines included; empty for steps that the dialect does not show */
  write(event: ConversationEvent): string
  /**
   * Ends a stream that has failed, where its end repeats what the stream had.
   *
   * @returns the text of the last events; empty after the end
   * @default the protocol of the dialect ends it
   */
  failed?(error: ProviderError): string
}
