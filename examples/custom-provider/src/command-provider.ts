import type {
  ChatCompletionChunk,
  ChatDelta,
  ChatMessage,
  FinishReason,
  Provider,
  ProviderChatRequest,
  ProviderContext,
} from '@trivium/gateway-core/ports'
import { ProviderFailure } from '@trivium/gateway-core/ports'
import { type Command, runCommand } from './run-command.ts'

export interface CommandProviderOptions {
  readonly id: string
  /** Commands by model id. */
  readonly models: ReadonlyMap<string, Command>
}

/**
 * Offers programs as models. A program reads the last message on its standard input and writes the answer to its standard
 * output. The gateway adds keys, limits, usage, retries and the wire format.
 */
export function commandProvider({ id, models }: CommandProviderOptions): Provider {
  const run = ({ model, body }: ProviderChatRequest, { signal }: ProviderContext) => {
    const command = models.get(model)
    if (!command)
      throw new ProviderFailure({ type: 'unsupported', param: 'model', message: `There is no model "${model}".` })
    return runCommand(command, textOf(body.messages.at(-1)), signal)
  }

  return {
    id,
    models: async () =>
      [...models.keys()].map((model) => ({ id: model, kind: 'chat', ownedBy: 'this machine', created: 0 })),
    chat: {
      async complete(request, context) {
        const pieces = await Array.fromAsync(await run(request, context))
        const message = { role: 'assistant', content: pieces.join('') } as const
        const choice = { index: 0, message, finish_reason: 'stop' } as const
        return {
          kind: 'completion',
          completion: { ...commonOf(request, context), object: 'chat.completion', choices: [choice] },
        }
      },
      async stream(request, context) {
        const pieces = await run(request, context)
        return { kind: 'chunks', chunks: chunksOf(pieces, commonOf(request, context)) }
      },
    },
  }
}

type Common = Pick<ChatCompletionChunk, 'id' | 'created' | 'model'>

const commonOf = ({ model }: ProviderChatRequest, { requestId }: ProviderContext): Common => ({
  id: `chatcmpl-${requestId}`,
  created: Math.floor(Date.now() / 1000),
  model,
})

/** Ends a complete answer with a chunk that has a finish reason. Its absence shows clients that an answer was cut off. */
async function* chunksOf(pieces: AsyncIterable<string>, common: Common): AsyncGenerator<ChatCompletionChunk> {
  const chunk = (delta: ChatDelta, reason: FinishReason | null = null): ChatCompletionChunk => ({
    ...common,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: reason }],
  })
  for await (const content of pieces) yield chunk({ role: 'assistant', content })
  yield chunk({}, 'stop')
}

function textOf(message: ChatMessage | undefined): string {
  const content = message?.content ?? ''
  if (typeof content === 'string') return content
  return content
    .map((part) => {
      if (part.type === 'text') return part.text
      throw new ProviderFailure({ type: 'unsupported', param: 'messages', message: 'The models read text only.' })
    })
    .join('\n')
}
