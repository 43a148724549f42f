import type { Provider, ProviderModel } from '@trivium/gateway-core/ports'
import { createUpstream, type Dispatcher } from '@trivium/provider-kit'
import { chatOver } from './chat.ts'
import { imageDownload } from './images/image-download.ts'
import { imagesOver } from './images/images.ts'
import { type ModelKind, modelKindByName, upstreamModels } from './models.ts'
import { refusalWords } from './refusal-words.ts'

/** Which upstream is asked, and as whom. Only `baseUrl` is needed. */
export interface OpenAiProviderOptions {
  /** What its model ids begin with. @default 'openai' */
  readonly id?: string
  /** Up to and including the version: `https://api.openai.com/v1`. No other origin is ever called. */
  readonly baseUrl: string
  /** Sent as a bearer token. Never told to a client. @default none is sent */
  readonly apiKey?: string
  /** Of every request, as `openai-organization`; they replace the provider's own. */
  readonly headers?: Readonly<Record<string, string>>
  /** Ids to offer instead of asking the upstream. */
  readonly models?: readonly string[]
  /** What a model is for, told by its id. @default goes by the names in use; what does not chat or draw is left out */
  readonly modelKind?: ModelKind
  /** `false` for an upstream that refuses `stream_options`. @default true */
  readonly asksStreamUsage?: boolean
  /** Origins from which pictures are fetched that the upstream answers as addresses. @default none */
  readonly imageOrigins?: readonly string[]
  /** The most bytes of one answer, streams included. @default 128 MiB */
  readonly maxAnswerBytes?: number
  /** Sends the requests: a proxy agent, or one that trusts a private authority. @default a pool of its own */
  readonly dispatcher?: Dispatcher
  /** @default the system's clock */
  readonly now?: () => Date
}

/**
 * Any server that speaks OpenAI's API. Requests go out as the client wrote them and answers come back byte for byte.
 * It asks for nothing compressed and follows no redirect.
 *
 * A model that refuses `max_tokens` for `max_completion_tokens`, or the other way round, is asked again once with the
 * name that it takes.
 *
 * @throws TypeError where `baseUrl` is no http(s) URL
 *
 * @example
 * ```ts
 * import { openAiProvider } from '@trivium/openai-provider'
 *
 * const ollama = openAiProvider({ id: 'ollama', baseUrl: 'http://127.0.0.1:11434/v1' })
 * ```
 */
export function openAiProvider({
  id = 'openai',
  baseUrl,
  apiKey,
  headers,
  models,
  modelKind = modelKindByName,
  asksStreamUsage = true,
  imageOrigins = [],
  maxAnswerBytes = 128 * 2 ** 20,
  dispatcher,
  now = () => new Date(),
}: OpenAiProviderOptions): Provider {
  const upstream = createUpstream({
    baseUrl,
    headers: { authorization: apiKey === undefined ? undefined : `Bearer ${apiKey}`, ...headers },
    wordsIn: refusalWords,
    maxAnswerBytes,
    dispatcher,
    now,
  })
  const download = imageDownload({ origins: imageOrigins, maxBytes: maxAnswerBytes })
  const fixed = models?.flatMap((model): readonly ProviderModel[] => {
    const kind = modelKind(model) ?? 'chat'
    return [{ id: model, kind, ownedBy: id, created: 0 }]
  })
  return {
    id,
    models: async (context) => fixed ?? upstreamModels(upstream, modelKind, context),
    chat: chatOver(upstream, { asksStreamUsage }),
    images: imagesOver(upstream, download),
    close: async () => {
      await Promise.all([upstream.close(), download.close()])
    },
  }
}
