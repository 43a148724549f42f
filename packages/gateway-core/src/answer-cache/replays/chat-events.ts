import type { ChatCompletion } from '../../chat/chat-completion.ts'
import { chunksOf } from '../../chat/streams/encode-chunks.ts'
import type { JsonObject } from '../../dialects/dialect.ts'
import { objectOr } from '../../dialects/json-values.ts'

/** Writes a completion as chunks, with its usage only where the client requested it. */
export async function chatEvents(answer: JsonObject, body: JsonObject): Promise<string> {
  const { usage, ...completion } = answer
  if (!isCompletion(answer) || !isCompletion(completion)) throw new TypeError('The answer is not a chat completion.')
  const includesUsage = objectOr(body.stream_options).include_usage === true
  let events = ''
  for await (const chunk of chunksOf(includesUsage ? answer : completion, includesUsage)) {
    events += `data: ${JSON.stringify(chunk)}\n\n`
  }
  return `${events}data: [DONE]\n\n`
}

/** Answers are stored only where each choice has a message. */
const isCompletion = (value: JsonObject): value is ChatCompletion => Array.isArray(value.choices)
