import type { Provider, ProviderModel } from '@trivium/gateway-core/ports'
import { echo } from './chat/echo.ts'
import { eliza } from './chat/eliza.ts'
import { createLocalChat, type LocalChatOptions } from './chat/local-chat.ts'
import { type ScriptedTurn, scripted } from './chat/scripted.ts'
import { createProceduralImages, PROCEDURAL_IMAGE_MODEL } from './images/procedural-images.ts'

/** How the models without a network answer. */
export interface LocalProviderOptions extends LocalChatOptions {
  /** What its model ids begin with. @default 'local' */
  readonly id?: string
  /** What `scripted-no-llm` says; the first turn that fits answers. Without one that fits it repeats what it got. */
  readonly script?: readonly ScriptedTurn[]
}

/** No language model is behind any of them, and whoever lists the models shall read that. */
const OWNER = 'trivium (rules, no language model)'

/**
 * Models that live in this process: rules that answer the same to the same request, for tests, demonstrations and
 * first steps. They follow the format of chat completions fully: tools, `n`, `stop`, `max_tokens`, JSON formats, usage.
 */
export function localProvider({ id = 'local', script = [], ...options }: LocalProviderOptions = {}): Provider {
  const chat = createLocalChat([echo, eliza, scripted(script)], options)
  const models: readonly ProviderModel[] = [
    ...chat.modelIds.map((model) => ({ id: model, kind: 'chat', ownedBy: OWNER, created: 0 }) as const),
    { id: PROCEDURAL_IMAGE_MODEL, kind: 'image', ownedBy: OWNER, created: 0 },
  ]
  return { id, models: async () => models, chat, images: createProceduralImages() }
}
