import { isObject } from '../chat/is-object.ts'
import { parseJson } from '../chat/parse-json.ts'
import type { JsonObject } from '../dialects/dialect.ts'
import { isTokenCount } from '../usage/token-count.ts'

/** Tokens of one answer of a session, or of one transcription. */
export interface TurnUsage {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** Only these events report tokens. The others, most of them sound, are not parsed. */
const DONE = 'response.done'
/** The model that writes down what the user says is not that of the answer, and its tokens are in no other event. */
const TRANSCRIBED = 'conversation.item.input_audio_transcription.completed'

/** Returns the tokens that an event of an upstream reports; `undefined` for every other event. */
export function turnUsageOf(message: string | Uint8Array): TurnUsage | undefined {
  if (typeof message !== 'string') return undefined
  // The type may be in any place.
  if (!message.includes(`"${DONE}"`) && !message.includes(`"${TRANSCRIBED}"`)) return undefined
  const event = parseJson(message)
  const usage = isObject(event) ? usageIn(event) : undefined
  if (!isObject(usage)) return undefined
  const { input_tokens: input, output_tokens: output } = usage
  return { inputTokens: isTokenCount(input) ? input : 0, outputTokens: isTokenCount(output) ? output : 0 }
}

function usageIn({ type, response, usage }: JsonObject): unknown {
  if (type === TRANSCRIBED) return usage
  return type === DONE && isObject(response) ? response.usage : undefined
}
