import { isObject } from '../chat/is-object.ts'
import { parseJson } from '../chat/parse-json.ts'
import type { JsonObject } from '../dialects/dialect.ts'
import { readDetail } from '../usage/read-detail.ts'
import { isTokenCount } from '../usage/token-count.ts'
import type { UsageDetail } from '../usage/usage-detail.ts'

/** Tokens of one answer of a session, or of one transcription. */
export interface TurnUsage extends UsageDetail {
  readonly inputTokens: number
  readonly outputTokens: number
  /** The id of the answer, empty where it has none. Absent for a transcription, and for several answers. */
  readonly answer?: string
}

/** Only these events report tokens. The others, most of them sound, are not parsed. */
const DONE = 'response.done'
/** The model that writes down what the user says is not that of the answer, and its tokens are in no other event. */
const TRANSCRIBED = 'conversation.item.input_audio_transcription.completed'

/** Returns the tokens that an event of an upstream reports, 0 for an answer without a report; `undefined` for every other event. */
export function turnUsageOf(message: string | Uint8Array): TurnUsage | undefined {
  if (typeof message !== 'string') return undefined
  // The type may be in any place.
  if (!message.includes(`"${DONE}"`) && !message.includes(`"${TRANSCRIBED}"`)) return undefined
  const event = parseJson(message)
  if (!isObject(event)) return undefined
  const { type, response } = event
  if (type === TRANSCRIBED && isObject(event.usage)) return tokensOf(event.usage)
  if (type !== DONE || !isObject(response)) return undefined
  const answer = typeof response.id === 'string' ? response.id : ''
  return { ...tokensOf(isObject(response.usage) ? response.usage : {}), answer }
}

const tokensOf = (usage: JsonObject): TurnUsage => ({
  inputTokens: isTokenCount(usage.input_tokens) ? usage.input_tokens : 0,
  outputTokens: isTokenCount(usage.output_tokens) ? usage.output_tokens : 0,
  ...readDetail(usage),
})
