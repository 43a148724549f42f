import type {
  ByteReceiver,
  ChatAnswer,
  ChatProvider,
  ChatStream,
  ImageProvider,
  Provider,
  ProviderChatRequest,
  ProviderContext,
  ProviderModel,
} from '@trivium/gateway-core/ports'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export const completionText = JSON.stringify({
  id: 'chatcmpl-7',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'big-2026',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi', refusal: null }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 },
})

/** An answer that is relayed byte for byte. */
export const encodedAnswer = (text = completionText): ChatAnswer => ({
  kind: 'encoded',
  bytes: encoder.encode(text),
  completion: JSON.parse(text),
})

/** A stream whose upstream is the test. */
export class LiveStream {
  cancelled = false
  resumed = 0
  wantsMore = true
  #receiver: ByteReceiver | undefined
  #started: (() => void) | undefined
  readonly started = new Promise<void>((resolve) => {
    this.#started = resolve
  })

  get stream(): ChatStream {
    return {
      kind: 'encoded',
      start: (receiver) => {
        this.#receiver = receiver
        this.#started?.()
        return {
          resume: () => {
            this.resumed += 1
          },
          cancel: () => {
            this.cancelled = true
          },
        }
      },
    }
  }

  send(...events: readonly unknown[]): void {
    for (const event of events) this.sendText(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)
  }

  sendText(text: string): void {
    if (!this.cancelled) this.wantsMore = this.#receiver?.data(encoder.encode(text)) ?? false
  }

  end(): void {
    if (!this.cancelled) this.#receiver?.end()
  }

  fail(error: Parameters<ByteReceiver['failed']>[0]): void {
    if (!this.cancelled) this.#receiver?.failed(error)
  }
}

/** A stream of these texts, which arrive immediately. */
export const textStream = (...texts: readonly string[]): ChatStream => ({
  kind: 'encoded',
  start: (receiver) => {
    for (const text of texts) receiver.data(encoder.encode(text))
    receiver.end()
    return { resume: () => undefined, cancel: () => undefined }
  },
})

export const delta = (content: string) => ({
  id: 'chatcmpl-7',
  object: 'chat.completion.chunk',
  created: 1_700_000_000,
  model: 'big-2026',
  choices: [{ index: 0, delta: { content }, finish_reason: null }],
})

export const finish = { ...delta(''), choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }

export const usage = {
  ...delta(''),
  choices: [],
  usage: { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 },
}

export interface ProviderCall {
  readonly model: string
  readonly body: ProviderChatRequest['body']
  /** The body for an OpenAI-compatible upstream. */
  readonly sent: string
  readonly context: ProviderContext
}

export interface FakeProviderOptions {
  readonly id?: string
  readonly models?: readonly string[] | (() => Promise<readonly ProviderModel[]>)
  readonly complete?: (request: ProviderChatRequest, context: ProviderContext) => Promise<ChatAnswer> | ChatAnswer
  readonly stream?: (request: ProviderChatRequest, context: ProviderContext) => Promise<ChatStream> | ChatStream
  readonly images?: ImageProvider
  readonly asksStreamUsage?: boolean
}

export interface FakeProvider extends Provider {
  readonly calls: ProviderCall[]
  /** Resolves after that many calls. */
  readonly untilCalled: (times: number) => Promise<void>
}

/** An upstream that answers as the test configures it, and records its calls. */
export function fakeProvider(options: FakeProviderOptions = {}): FakeProvider {
  const { id = 'up', models = ['big'], images, asksStreamUsage } = options
  const { complete = () => encodedAnswer(), stream = () => textStream('data: [DONE]\n\n') } = options
  const calls: ProviderCall[] = []
  const waiting = new Map<number, () => void>()
  const record = (request: ProviderChatRequest, context: ProviderContext) => {
    calls.push({ model: request.model, body: request.body, sent: decoder.decode(request.encode()), context })
    waiting.get(calls.length)?.()
  }
  const chat: ChatProvider = {
    ...(asksStreamUsage === undefined ? {} : { asksStreamUsage }),
    async complete(request, context) {
      record(request, context)
      return complete(request, context)
    },
    async stream(request, context) {
      record(request, context)
      return stream(request, context)
    },
  }
  return {
    id,
    calls,
    untilCalled: async (times) => {
      if (calls.length < times) await new Promise<void>((resolve) => waiting.set(times, resolve))
    },
    chat,
    ...(images ? { images } : {}),
    models: async () => {
      if (typeof models === 'function') return models()
      return models.map((model) => ({ id: model, kind: 'chat', ownedBy: id, created: 1_700_000_000 }) as const)
    },
  }
}
