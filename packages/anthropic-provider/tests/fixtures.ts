import { readFileSync } from 'node:fs'
import type { ProviderDialectRequest } from '@trivium/gateway-core/ports'
import type { JsonObject } from '@trivium/provider-kit/answers'

export const errorFixtures: readonly {
  readonly type: string
  readonly status: number
  readonly message: string
  readonly retryable: boolean
}[] = JSON.parse(readFileSync(new URL('./fixtures/errors.json', import.meta.url), 'utf8'))

/** An answer of the Messages API. */
export const message: JsonObject = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-example',
  content: [{ type: 'text', text: 'Grüße 🌍' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 9, output_tokens: 2 },
}

/** The same answer as a stream. */
export const events: readonly JsonObject[] = [
  { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Grüße 🌍' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 2 } },
  { type: 'message_stop' },
]

/** Encodes events as the upstream sends them. */
export const eventStream = (sent: readonly JsonObject[]): string =>
  sent.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')

/** A request as the gateway gives it to a provider. */
export const dialectRequest = (
  fields: JsonObject = {},
  headers: Readonly<Record<string, string>> = {},
): ProviderDialectRequest => {
  const body: JsonObject = {
    model: 'up/claude-example',
    max_tokens: 100,
    messages: [{ role: 'user', content: 'Hi' }],
    ...fields,
  }
  return {
    model: 'claude-example',
    body,
    headers,
    encode: (changes = {}) =>
      new TextEncoder().encode(JSON.stringify({ ...body, model: 'claude-example', ...changes })),
  }
}
