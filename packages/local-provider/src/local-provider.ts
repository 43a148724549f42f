import { checkOptions, type OptionNames, type Provider, type ProviderModel } from '@trivium/gateway-core/ports'
import { echo } from './chat/echo.ts'
import { eliza } from './chat/eliza.ts'
import { createLocalChat, type LocalChatOptions } from './chat/local-chat.ts'
import { type ScriptedTurn, scripted } from './chat/scripted.ts'
import { createLocalEndpoints, EMBEDDING_MODEL, RERANK_MODEL } from './embeddings/local-endpoints.ts'
import { createProceduralImages, PROCEDURAL_IMAGE_MODEL } from './images/procedural-images.ts'

/** Options of {@link localProvider}. */
export interface LocalProviderOptions extends LocalChatOptions {
  /** The prefix of its model ids. @default 'local' */
  readonly id?: string
  /**
   * The script of `scripted-no-llm`. The first turn that matches answers. Without a match, the model repeats the last
   * message.
   *
   * @default none
   */
  readonly script?: readonly ScriptedTurn[]
}

/** The owner in the list of models states that none of them is a language model. */
const OWNER = 'trivium (rules, no language model)'

const optionNames: OptionNames<LocalProviderOptions> = {
  id: true,
  script: true,
  tokenDelayMs: true,
  sleep: true,
  now: true,
  newId: true,
}

/**
 * Creates a provider of models that run in this process, for tests, demonstrations and first steps. They are rules that
 * give the same answer to the same request. They support the format of chat completions: tools, `n`, `stop`,
 * `max_tokens`, JSON formats, usage.
 *
 * Embeddings and rankings compare the words and groups of letters of texts. They do not know meanings: `car` and
 * `vehicle` have nothing in common.
 *
 * @throws TypeError if an option does not exist
 *
 * @example
 * ```ts
 * import { localProvider } from '@trivium/local-provider'
 *
 * const provider = localProvider({ script: [{ when: 'ping', reply: { type: 'text', text: 'pong' } }] })
 * const models = await provider.models({ signal: new AbortController().signal })
 * console.log(models.map(({ id, kind }) => `${kind} ${id}`))
 * ```
 */
export function localProvider(options: LocalProviderOptions = {}): Provider {
  checkOptions('localProvider', options, optionNames)
  const { id = 'local', script = [] } = options
  const chat = createLocalChat([echo, eliza, scripted(script)], options)
  const models: readonly ProviderModel[] = [
    ...chat.modelIds.map((model) => ({ id: model, kind: 'chat', ownedBy: OWNER, created: 0 }) as const),
    { id: PROCEDURAL_IMAGE_MODEL, kind: 'image', ownedBy: OWNER, created: 0 },
    { id: EMBEDDING_MODEL, kind: 'embedding', ownedBy: OWNER, created: 0 },
    { id: RERANK_MODEL, kind: 'rerank', ownedBy: OWNER, created: 0 },
  ]
  return { id, models: async () => models, chat, images: createProceduralImages(), endpoints: createLocalEndpoints() }
}
