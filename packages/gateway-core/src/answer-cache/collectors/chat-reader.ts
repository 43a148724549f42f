import { isObject } from '../../chat/is-object.ts'
import type { JsonObject } from '../../dialects/dialect.ts'
import { listOr, objectsOf } from '../../dialects/json-values.ts'
import { jsonLength } from '../../dialects/requests/json-length.ts'
import type { EventReader } from './event-reader.ts'
import { mergedDelta } from './merged-delta.ts'

interface Choice {
  readonly message: JsonObject
  /** Members beside the message, such as `finish_reason`. */
  readonly rest: JsonObject
  readonly logprobs: JsonObject | undefined
}

const empty: Choice = { message: {}, rest: {}, logprobs: undefined }

/** The most answers to one request. */
const MOST_CHOICES = 128

/** Assembles the chunks of a chat completion. */
export class ChatReader implements EventReader {
  characters = 0
  #head: JsonObject = {}
  #usage: JsonObject | undefined
  readonly #choices = new Map<number, Choice>()

  read({ choices, usage, object, obfuscation, error, ...head }: JsonObject): boolean {
    if (isObject(error)) return false
    this.#head = { ...this.#head, ...given(head) }
    const reported = usage ?? (isObject(head.x_groq) ? head.x_groq.usage : undefined)
    if (isObject(reported)) this.#usage = reported
    return listOr(choices).every((choice) => isObject(choice) && this.#readChoice(choice))
  }

  answer(): JsonObject | undefined {
    const { x_groq, ...head } = this.#head
    if (this.#choices.size === 0) return undefined
    const choices = [...this.#choices]
      .sort(([one], [other]) => one - other)
      .map(([index, { message, rest, logprobs }]) => ({
        index,
        message: wholeMessage(message),
        ...(logprobs && { logprobs }),
        ...rest,
      }))
    return { ...head, object: 'chat.completion', choices, ...(this.#usage && { usage: this.#usage }) }
  }

  #readChoice({ index = 0, delta, logprobs, ...rest }: JsonObject): boolean {
    if (typeof index !== 'number' || this.#choices.size > MOST_CHOICES) return false
    const before = this.#choices.get(index) ?? empty
    const message = isObject(delta) ? mergedDelta(before.message, delta) : before.message
    if (!message) return false
    this.characters += addedBy(delta) + (isObject(logprobs) ? jsonLength(logprobs) : 0)
    this.#choices.set(index, {
      message,
      rest: { ...before.rest, ...given(rest) },
      logprobs: isObject(logprobs) ? joinedLogprobs(before.logprobs, logprobs) : before.logprobs,
    })
    return true
  }
}

/** Returns about the characters that a delta adds, where those of names are not counted. */
function addedBy(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + addedBy(one), value.length)
  return isObject(value) ? addedBy(Object.values(value)) : 0
}

const given = (members: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined))

/** Each chunk has those of its own tokens. */
function joinedLogprobs(before: JsonObject | undefined, added: JsonObject): JsonObject {
  if (!before) return added
  const names = new Set([...Object.keys(before), ...Object.keys(added)])
  const joined = [...names].map((name) => {
    const all = [...listOr(before[name]), ...listOr(added[name])]
    return [name, all.length > 0 ? all : null]
  })
  return Object.fromEntries(joined)
}

function wholeMessage({ tool_calls: calls, ...message }: JsonObject): JsonObject {
  const whole = { role: 'assistant', content: null, refusal: null, ...message }
  if (listOr(calls).length === 0) return whole
  const inOrder = [...objectsOf(calls)].sort((one, other) => Number(one.index) - Number(other.index))
  return { ...whole, tool_calls: inOrder.map(({ index, ...call }) => call) }
}
