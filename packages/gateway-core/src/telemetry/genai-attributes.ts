import type { Attributes } from '@opentelemetry/api'
import { isObject } from '../chat/is-object.ts'
import { countIn, numberIn, textIn } from '../dialects/json-values.ts'

/** The client's body, of which single fields are read. */
export type RequestFields = Readonly<Record<string, unknown>>

/** Fields of all dialects, and the attributes of numbers. Of several fields with one attribute, the last one counts. */
const numbers: readonly (readonly [string, string])[] = [
  ['max_tokens', 'gen_ai.request.max_tokens'],
  ['max_completion_tokens', 'gen_ai.request.max_tokens'],
  ['max_output_tokens', 'gen_ai.request.max_tokens'],
  ['temperature', 'gen_ai.request.temperature'],
  ['top_p', 'gen_ai.request.top_p'],
  ['top_k', 'gen_ai.request.top_k'],
  ['frequency_penalty', 'gen_ai.request.frequency_penalty'],
  ['presence_penalty', 'gen_ai.request.presence_penalty'],
  ['seed', 'gen_ai.request.seed'],
]

const MAX_LENGTH = 256

/** Returns the attributes of a request by the conventions for generative AI. None has a text of its conversation. */
export function requestAttributes(fields: RequestFields | undefined, streamed: boolean): Attributes {
  const attributes: Attributes = streamed ? { 'gen_ai.request.stream': true } : {}
  if (!fields) return attributes
  for (const [name, attribute] of numbers) {
    const value = numberIn(fields[name])
    if (value !== undefined) attributes[attribute] = value
  }
  const choices = countIn(fields.n)
  if (choices !== undefined && choices !== 1) attributes['gen_ai.request.choice.count'] = choices
  const { conversation } = fields
  const id = textIn(isObject(conversation) ? conversation.id : conversation)
  if (id !== undefined) attributes['gen_ai.conversation.id'] = id.slice(0, MAX_LENGTH)
  const output = outputType(fields)
  if (output !== undefined) attributes['gen_ai.output.type'] = output
  return attributes
}

/** What a client asks for, in a chat completion or a response. */
function outputType({ response_format: format, text }: RequestFields): string | undefined {
  const asked = isObject(format) ? format : isObject(text) && isObject(text.format) ? text.format : undefined
  if (asked?.type === 'json_object' || asked?.type === 'json_schema') return 'json'
  return asked?.type === 'text' ? 'text' : undefined
}
