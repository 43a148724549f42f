import {
  type ChatCompletionRequest,
  type ProviderChatRequest,
  type ProviderContext,
  type ProviderError,
  ProviderFailure,
} from '@trivium/gateway-core/ports'

export const chatRequest = (fields: Partial<ChatCompletionRequest> = {}): ProviderChatRequest => {
  const body: ChatCompletionRequest = { model: 'test/m', messages: [{ role: 'user', content: 'Hi' }], ...fields }
  return {
    model: 'm',
    body,
    encode: (changes = {}) => new TextEncoder().encode(JSON.stringify({ ...body, model: 'm', ...changes })),
  }
}

export const context = (signal: AbortSignal = new AbortController().signal): ProviderContext => ({
  requestId: 'request-1',
  signal,
  headers: {},
  connectTimeoutMs: 5000,
})

/** Returns the error that a provider rejects with. */
export async function failureOf(promise: Promise<unknown>): Promise<ProviderError> {
  try {
    await promise
  } catch (thrown) {
    if (ProviderFailure.is(thrown)) return thrown.error
    throw thrown
  }
  throw new Error('It did not fail')
}

/** Creates a promise with its `resolve`. */
export function latch<Value>(): { readonly promise: Promise<Value>; readonly resolve: (value: Value) => void } {
  let resolve: (value: Value) => void = () => {}
  const promise = new Promise<Value>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
