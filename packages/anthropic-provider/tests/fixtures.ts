import { readFileSync } from 'node:fs'
import type { ChatCompletion, ChatCompletionChunk, ChatCompletionRequest } from '@trivium/gateway-core/ports'
import type { JsonObject } from '@trivium/provider-kit/answers'

export interface Fixture {
  readonly chat: ChatCompletionRequest
  /** The same request in the Messages API. */
  readonly messages: JsonObject
  readonly message: JsonObject
  /** The same answer as a chat completion. */
  readonly completion: ChatCompletion
  /** The same answer as a stream. */
  readonly events: readonly JsonObject[]
  readonly chunks: readonly {
    readonly delta?: JsonObject
    readonly finish_reason?: string
    readonly usage?: JsonObject
  }[]
}

export const fixtureNames = ['text', 'parallel-tools', 'images', 'thinking', 'web-search'] as const

export const fixture = (name: (typeof fixtureNames)[number]): Fixture => read(`${name}.json`)

export const errorFixtures: readonly {
  readonly type: string
  readonly status: number
  readonly message: string
  readonly retryable: boolean
}[] = read('errors.json')

function read<Value>(name: string): Value {
  return JSON.parse(readFileSync(new URL(`../src/fixtures/${name}`, import.meta.url), 'utf8'))
}

/** Encodes events as the upstream sends them. */
export const eventStream = (events: readonly JsonObject[], lineEnd = '\n'): string =>
  events.map((event) => [`event: ${event.type}`, `data: ${JSON.stringify(event)}`, '', ''].join(lineEnd)).join('')

/** Returns a fixture's chunks with the fields that all of them have. */
export const wholeChunks = ({ chunks, completion: { id, created, model } }: Fixture): readonly unknown[] =>
  chunks.map(({ delta, finish_reason = null, usage }) => ({
    id,
    object: 'chat.completion.chunk',
    created,
    model,
    choices: delta ? [{ index: 0, delta, logprobs: null, finish_reason }] : [],
    ...(usage ? { usage } : {}),
  }))

/** Joins the chunks of a stream, as a client does, to the message and its finish reason. */
export function assembled(chunks: readonly ChatCompletionChunk[]): JsonObject {
  const message: Record<string, unknown> = {}
  const calls: { id: string; type: string; function: { name: string; arguments: string } }[] = []
  let finish_reason: unknown = null
  let usage: unknown
  for (const { choices, usage: counted } of chunks) {
    usage = counted ?? usage
    for (const choice of choices) {
      finish_reason = choice.finish_reason ?? finish_reason
      for (const [name, value] of Object.entries(choice.delta)) {
        if (name === 'tool_calls') continue
        const before = message[name]
        if (typeof before === 'string' && typeof value === 'string') message[name] = before + value
        else if (Array.isArray(before) && Array.isArray(value)) message[name] = [...before, ...value]
        else message[name] = value
      }
      for (const { index, id = '', type = 'function', function: part = {} } of choice.delta.tool_calls ?? []) {
        calls[index] ??= { id, type, function: { name: part.name ?? '', arguments: '' } }
        calls[index].function.arguments += part.arguments ?? ''
      }
    }
  }
  return { message: { ...message, ...(calls.length > 0 ? { tool_calls: calls } : {}) }, finish_reason, usage }
}
