import { isObject } from '../chat/is-object.ts'
import { parseJson } from '../chat/parse-json.ts'
import { isTokenCount } from '../usage/token-count.ts'

/** Tokens of one answer of a session. */
export interface TurnUsage {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** Only these events report tokens. The others, most of them sound, are not parsed. */
const DONE = '"response.done"'

/** Returns the tokens that an event of an upstream reports; `undefined` for every other event. */
export function turnUsageOf(message: string | Uint8Array): TurnUsage | undefined {
  if (typeof message !== 'string' || !message.slice(0, 256).includes(DONE)) return undefined
  const event = parseJson(message)
  const usage = isObject(event) && isObject(event.response) ? event.response.usage : undefined
  if (!isObject(usage)) return undefined
  const { input_tokens: input, output_tokens: output } = usage
  return { inputTokens: isTokenCount(input) ? input : 0, outputTokens: isTokenCount(output) ? output : 0 }
}
