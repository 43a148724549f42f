import {
  type ChatCompletionRequest,
  type ChatProvider,
  checkOptions,
  type EndpointProvider,
  type ImageProvider,
  type ImageRequest,
  type JsonObject,
  type OptionNames,
  type Provider,
  ProviderFailure,
  type ProviderModel,
} from '@trivium/gateway-core/ports'
import { chunks } from './answers/chunks.ts'
import { completion } from './answers/completion.ts'
import { type AiSdkEmbeddingModel, embedWith } from './endpoints/embeddings.ts'
import { type AiSdkSpeechModel, speakWith } from './endpoints/speech.ts'
import { type AiSdkTranscriptionModel, transcribeWith } from './endpoints/transcriptions.ts'
import { failure } from './failure.ts'
import { type AiSdkImageModel, generateImages } from './images.ts'
import { type AiSdkLanguageModel, generateWith, streamWith } from './language-model.ts'
import { callOptions, type ProviderOptions } from './requests/call-options.ts'

/** Options of {@link aiSdkProvider}. */
export interface AiSdkProviderOptions {
  /** The prefix of its model ids. */
  readonly id: string
  /** Language models by the id that clients use, which can differ from the model's own. @default none */
  readonly languageModels?: Readonly<Record<string, AiSdkLanguageModel>>
  /**
   * Returns the language model for an id that `languageModels` does not have; `undefined` where none exists. The list of
   * models does not have it. @default none
   */
  readonly languageModel?: (id: string) => AiSdkLanguageModel | undefined
  /** Image models by the id that clients use. @default none */
  readonly imageModels?: Readonly<Record<string, AiSdkImageModel>>
  /** Embedding models by the id that clients use. @default none */
  readonly embeddingModels?: Readonly<Record<string, AiSdkEmbeddingModel>>
  /** Speech models by the id that clients use. @default none */
  readonly speechModels?: Readonly<Record<string, AiSdkSpeechModel>>
  /** Transcription models by the id that clients use. @default none */
  readonly transcriptionModels?: Readonly<Record<string, AiSdkTranscriptionModel>>
  /** Returns options of the model's own provider, for features that the AI SDK does not have. @default none */
  readonly providerOptions?: (request: ChatCompletionRequest | ImageRequest | JsonObject) => ProviderOptions
  /** The current time, for `created` and for a `retry-after` that is a date. @default the system's clock */
  readonly now?: () => Date
  /** Creates ids for answers whose model sets none, after `chatcmpl-`. @default random UUIDs */
  readonly newId?: () => string
}

const optionNames: OptionNames<AiSdkProviderOptions> = {
  id: true,
  languageModels: true,
  languageModel: true,
  imageModels: true,
  embeddingModels: true,
  speechModels: true,
  transcriptionModels: true,
  providerOptions: true,
  now: true,
  newId: true,
}

/**
 * Creates a provider from model objects of the Vercel AI SDK, of its specification versions 4, 3 and 2. Credentials,
 * connect timeout and proxies are those of the model object. Parameters that the SDK does not have and that would
 * change the answer (`n`, `logprobs`, `logit_bias`, audio, custom tools) are refused. URLs of images are passed to the
 * model.
 *
 * @throws TypeError if an option does not exist
 *
 * @example
 * ```ts
 * import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
 * import { aiSdkProvider } from '@trivium/ai-sdk-provider'
 *
 * const together = createOpenAICompatible({ name: 'together', baseURL: 'https://api.together.xyz/v1', apiKey: '…' })
 *
 * export const provider = aiSdkProvider({
 *   id: 'together',
 *   languageModels: { 'llama-3.1-8b': together('meta-llama/Llama-3.1-8B-Instruct') },
 *   imageModels: { flux: together.imageModel('black-forest-labs/FLUX.1-schnell') },
 * })
 * ```
 */
export function aiSdkProvider(options: AiSdkProviderOptions): Provider {
  checkOptions('aiSdkProvider', options, optionNames)
  const {
    id,
    languageModels = {},
    languageModel: otherLanguageModel,
    imageModels = {},
    embeddingModels = {},
    speechModels = {},
    transcriptionModels = {},
    providerOptions,
    now = () => new Date(),
    newId = () => crypto.randomUUID(),
  } = options
  const languageModelOf = (model: string): AiSdkLanguageModel =>
    (Object.hasOwn(languageModels, model) ? undefined : otherLanguageModel?.(model)) ?? modelOf(languageModels, model)
  const chat: ChatProvider = {
    complete: async ({ model, body }, context) => {
      const languageModel = languageModelOf(model)
      const options = callOptions(body, context, providerOptions?.(body))
      const result = await orFailure(generateWith(languageModel, options), context.signal, now)
      const headers = result.response?.headers
      const defaults = { id: `chatcmpl-${newId()}`, model, now: now() }
      return { kind: 'completion', completion: completion(result, defaults), ...(headers ? { headers } : {}) }
    },
    stream: async ({ model, body }, context) => {
      const languageModel = languageModelOf(model)
      const options = callOptions(body, context, providerOptions?.(body))
      const { stream, response } = await orFailure(streamWith(languageModel, options), context.signal, now)
      return {
        kind: 'chunks',
        chunks: chunks(stream, {
          id: `chatcmpl-${newId()}`,
          model,
          now: now(),
          signal: context.signal,
          includeUsage: body.stream_options?.include_usage === true,
        }),
        ...(response?.headers ? { headers: response.headers } : {}),
      }
    },
  }
  const images: ImageProvider = {
    generate: async (request, context) => {
      const imageModel = modelOf(imageModels, request.model)
      return orFailure(generateImages(imageModel, request, context, providerOptions?.(request)), context.signal, now)
    },
  }
  const endpoints: EndpointProvider = {
    supports: (endpoint) =>
      (endpoint === 'embeddings' && Object.keys(embeddingModels).length > 0) ||
      (endpoint === 'speech' && Object.keys(speechModels).length > 0) ||
      (endpoint === 'transcriptions' && Object.keys(transcriptionModels).length > 0),
    send: async ({ endpoint, model = '', body }, context) => {
      if (endpoint === 'transcriptions') {
        const transcription = transcribeWith(modelOf(transcriptionModels, model), body, context, providerOptions)
        return { kind: 'whole', ...(await orFailure(transcription, context.signal, now)) }
      }
      const value = body?.value ?? {}
      const options = providerOptions?.(value)
      if (endpoint === 'speech') {
        const speech = speakWith(modelOf(speechModels, model), value, context, options)
        return { kind: 'whole', ...(await orFailure(speech, context.signal, now)) }
      }
      const embeddings = embedWith(modelOf(embeddingModels, model), model, value, context, options)
      const json = await orFailure(embeddings, context.signal, now)
      return { kind: 'whole', contentType: 'application/json', bytes: new TextEncoder().encode(json) }
    },
  }
  const listed = [
    ...listedModels(languageModels, 'chat'),
    ...listedModels(imageModels, 'image'),
    ...listedModels(embeddingModels, 'embedding'),
    ...listedModels(speechModels, 'audio'),
    ...listedModels(transcriptionModels, 'audio'),
  ]
  return {
    id,
    models: async () => listed,
    ...(Object.keys(languageModels).length > 0 || otherLanguageModel ? { chat } : {}),
    ...(Object.keys(imageModels).length > 0 ? { images } : {}),
    ...((['embeddings', 'speech', 'transcriptions'] as const).some(endpoints.supports) ? { endpoints } : {}),
  }
}

function modelOf<Model>(models: Readonly<Record<string, Model>>, id: string): Model {
  const model = Object.hasOwn(models, id) ? models[id] : undefined
  if (model) return model
  throw new ProviderFailure({
    type: 'refused',
    status: 404,
    code: 'model_not_found',
    param: 'model',
    message: 'The model does not exist.',
  })
}

/** Settles when the signal aborts, also if the model ignores the signal. */
async function orFailure<Value>(answer: Promise<Value>, signal: AbortSignal, now: () => Date): Promise<Value> {
  let give: () => void = () => {}
  const aborted = new Promise<never>((_, reject) => {
    give = () => reject(signal.reason)
  })
  if (signal.aborted) give()
  signal.addEventListener('abort', give)
  try {
    return await Promise.race([answer, aborted])
  } catch (thrown) {
    throw failure(thrown, signal, now)
  } finally {
    signal.removeEventListener('abort', give)
  }
}

const listedModels = (
  models: Readonly<Record<string, { readonly provider: string }>>,
  kind: ProviderModel['kind'],
): readonly ProviderModel[] =>
  Object.entries(models).map(([id, { provider }]) => ({ id, kind, ownedBy: provider, created: 0 }))
