import type { Dialect } from '@trivium/gateway-core/ports'
import { expect } from 'vitest'

/** How tests send requests in a dialect, and read what its clients get. */
export interface HostileFront {
  readonly path: string
  /** A request without its model. */
  readonly request: Readonly<Record<string, unknown>>
  /** What reports that the upstream took too long. */
  readonly timeout: string
  /** Expects an error in the form of the dialect. */
  readonly expectError: (body: unknown) => void
  /** Returns whether the last event of a stream ends a complete answer. */
  readonly isEnd: (event: unknown) => boolean
  /** Returns whether an event reports that the stream failed. */
  readonly isError: (event: unknown) => boolean
}

const typeOf = (event: unknown): unknown =>
  typeof event === 'object' && event !== null && 'type' in event ? event.type : undefined

function expectOpenAiError(body: unknown): void {
  expect(body).toEqual({
    error: {
      message: expect.any(String),
      type: expect.any(String),
      param: null,
      code: expect.toSatisfy((code) => code === null || typeof code === 'string'),
    },
  })
}

export const hostileFronts: Readonly<Record<Dialect, HostileFront>> = {
  chat: {
    path: '/v1/chat/completions',
    request: { messages: [{ role: 'user', content: 'Hello' }] },
    timeout: '"code":"upstream_timeout"',
    expectError: expectOpenAiError,
    isEnd: (event) => event === '[DONE]',
    isError: (event) => typeof event === 'object' && event !== null && 'error' in event,
  },
  responses: {
    path: '/v1/responses',
    request: { input: 'Hello' },
    timeout: '"code":"upstream_timeout"',
    expectError: expectOpenAiError,
    isEnd: (event) => typeOf(event) === 'response.completed' || typeOf(event) === 'response.incomplete',
    isError: (event) => typeOf(event) === 'error' || typeOf(event) === 'response.failed',
  },
  messages: {
    path: '/v1/messages',
    request: { max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] },
    timeout: '"type":"timeout_error"',
    expectError(body) {
      expect(body).toEqual({
        type: 'error',
        error: { type: expect.any(String), message: expect.any(String) },
        request_id: expect.any(String),
      })
    },
    isEnd: (event) => typeOf(event) === 'message_stop',
    isError: (event) => typeOf(event) === 'error',
  },
}

/** Reads the data of the last event with data. Its name replaces a type that is not a text. */
export function lastEvent(text: string): unknown {
  const lines = text.replaceAll('\uFEFF', '').split(/\r\n|\r|\n/)
  const fields = (name: string) =>
    lines.filter((line) => line.startsWith(name)).map((line) => line.slice(name.length).trim())
  const data = fields('data:').at(-1)
  if (data === undefined || data === '[DONE]') return data
  const event = parsed(data)
  if (typeof event !== 'object' || event === null || typeof typeOf(event) === 'string') return event
  return { ...event, ...named(fields('event:').at(-1)) }
}

const named = (type: string | undefined) => (type === undefined ? {} : { type })

function parsed(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}
