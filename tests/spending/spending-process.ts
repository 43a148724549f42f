import { setTimeout } from 'node:timers/promises'
import { type ApiKeyId, createGateway, type GatewayCall, StoreFailure } from '@trivium/gateway-core'
import type { ChatProvider, Provider, ProviderChatRequest } from '@trivium/gateway-core/ports'
import { openSpendingStore } from './spending-store.ts'

/**
 * One of several processes that spend the money of shared accounts: sends requests with the keys until it is killed, and
 * reports each one that has ended.
 */
const [url = '', redis = '', ...keys] = process.argv.slice(2)
/** Concurrent requests, as a server has several. */
const WIDTH = 8

/** Answers after a while, with a random use within the limit of the request. Every tenth request fails. */
const usageOf = ({ body }: ProviderChatRequest) => {
  if (Math.random() < 0.1) throw new Error('The upstream of the test fails.')
  const completion = Math.floor(Math.random() * (Number(body.max_completion_tokens) + 1))
  const prompt = Math.floor(Math.random() * 100)
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
}
const head = { id: 'chatcmpl-1', created: 1, model: 'one' } as const
const chat: ChatProvider = {
  async complete(request) {
    await setTimeout(Math.random() * 5)
    const message = { role: 'assistant', content: 'Hi', refusal: null } as const
    const choices = [{ index: 0, message, finish_reason: 'stop' }] as const
    return { kind: 'completion', completion: { ...head, object: 'chat.completion', choices, usage: usageOf(request) } }
  },
  async stream(request) {
    const usage = usageOf(request)
    const chunk = { ...head, object: 'chat.completion.chunk' } as const
    async function* chunks() {
      yield { ...chunk, choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: null }] }
      await setTimeout(Math.random() * 5)
      yield { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'stop' as const }] }
      yield { ...chunk, choices: [], usage }
    }
    return { kind: 'chunks', chunks: chunks() }
  },
}
const provider: Provider = {
  id: 'up',
  chat,
  models: async () => [{ id: 'one', kind: 'chat', ownedBy: 'test', created: 0 }],
}

const store = await openSpendingStore(url, redis)
const gateway = createGateway({
  repositories: store.repositories,
  providers: [provider],
  prices: { 'up/*': { input: 1.234567, output: 9.87654321 } },
  retries: { retries: 0 },
  circuit: { failures: 1_000_000 },
  onFault: () => undefined,
})

async function ask(index: number): Promise<void> {
  const id = keys[Math.floor(Math.random() * keys.length)] as ApiKeyId // passed as an argument
  const key = (await gateway.apiKeys.check(id))._unsafeUnwrap()
  const client = new AbortController()
  const call: GatewayCall = { requestId: String(index), caller: { type: 'key', key }, signal: client.signal }
  const body = {
    model: 'up/one',
    messages: [{ role: 'user', content: 'Hello' } as const],
    max_completion_tokens: 1 + Math.floor(Math.random() * 400),
    // Reservations of killed processes expire soon after it.
    timeout: 1,
  }
  if (Math.random() < 0.5) {
    await gateway.chat.complete(call, { body, raw: undefined })
    return
  }
  const opened = await gateway.chat.stream(call, { body: { ...body, stream: true }, raw: undefined })
  if (opened.isErr()) return
  await new Promise<void>((resolve) => {
    const control = opened.value.attach({ write: () => true, end: resolve })
    if (Math.random() < 0.5) {
      control.close()
      resolve()
    }
  })
}

const lane = async (): Promise<never> => {
  for (let index = 0; ; index += 1) {
    // A server answers 503 where its store does not answer in time, and continues.
    await ask(index).catch((error: unknown) => {
      if (!StoreFailure.is(error)) throw error
    })
    process.send?.('ended')
  }
}
await Promise.race(Array.from({ length: WIDTH }, lane))
