import { endOfString, stringLength } from '../dialects/streams/json-strings.ts'
import { tokensOfEvents } from '../dialects/streams/output-estimate.ts'
import type { TurnUsage } from './session-usage.ts'

/** Beyond it, answers are counted as one. */
const MAX_OPEN = 16
/** The characters at each end of a message in which its type is looked for. */
const EDGE = 300

const CHARACTERS_PER_TOKEN = 4
/** Base64 of PCM with 24 kHz and 16 bits, of which an input token has 100 ms and an output token 50 ms. */
const SOUND_PER_INPUT_TOKEN = 6400
const SOUND_PER_OUTPUT_TOKEN = 3200
/** The approximate tokens of an image, and the characters of a message beside its text. */
const TOKENS_PER_IMAGE = 800
const ENVELOPE = 100
/** The context of common models. What precedes it is left out by the upstream. */
const MAX_INPUT = 32_768

const TYPE = /"type"\s*:\s*"([^"\\]{1,100})"/
const RESPONSE = /"response_id"\s*:\s*"([^"\\]{1,100})"|"response"\s*:\s*\{[^{}]{0,60}?"id"\s*:\s*"([^"\\]{1,100})"/
const IMAGE = '"input_image"'
const DELTA = '"delta"'

interface OpenAnswer {
  events: number
  characters: number
  sound: number
}

/**
 * The answers of a session that have begun and not ended, and an estimate of their tokens. Messages are not parsed: only
 * their type is searched near their ends, and the length of a delta.
 */
export class OpenAnswers {
  readonly #open = new Map<string, OpenAnswer>()
  /** The client has requested an answer that has not begun. */
  #isAsked = false
  /** The conversation as the last answer has reported it, and what the client has sent since. */
  #known = 0
  #sent = 0

  sent(message: string | Uint8Array): void {
    const type = typeof message === 'string' ? typeOf(message) : undefined
    if (type === 'response.create') this.#isAsked = true
    this.#sent += inputTokensOf(message, type)
  }

  received(message: string | Uint8Array): void {
    if (typeof message !== 'string') return
    const type = typeOf(message) ?? ''
    if (type === 'error') this.#isAsked = false
    else if (type === 'response.created') this.#begin(message)
    else if (type.startsWith('response.') && type.endsWith('.delta')) {
      const answer = this.#begin(message)
      const length = deltaLength(message)
      if (/audio\.delta$/.test(type)) answer.sound += length
      else {
        answer.events += 1
        answer.characters += length
      }
    }
  }

  /** Forgets an answer whose usage is reported. */
  ended({ answer, inputTokens, outputTokens }: TurnUsage): void {
    if (answer === undefined) return
    this.#isAsked = false
    this.#open.delete(answer)
    this.#open.delete('')
    if (inputTokens === 0) return
    this.#known = inputTokens + outputTokens
    this.#sent = 0
  }

  /** The estimate of all answers that have not ended; `undefined` where all have. */
  get usage(): TurnUsage | undefined {
    const turns = Math.max(this.#open.size, this.#isAsked ? 1 : 0)
    if (turns === 0) return undefined
    const input = Math.max(this.#known, Math.min(MAX_INPUT, this.#known + Math.ceil(this.#sent)))
    let outputTokens = 0
    for (const { events, characters, sound } of this.#open.values()) {
      outputTokens += tokensOfEvents(events, characters) + Math.ceil(sound / SOUND_PER_OUTPUT_TOKEN)
    }
    return { inputTokens: turns * input, outputTokens }
  }

  #begin(message: string): OpenAnswer {
    this.#isAsked = false
    const [, own, nested] = RESPONSE.exec(message.slice(0, EDGE)) ?? []
    const id = own ?? nested ?? ''
    const key = this.#open.has(id) || this.#open.size < MAX_OPEN ? id : ''
    const answer = this.#open.get(key) ?? { events: 0, characters: 0, sound: 0 }
    this.#open.set(key, answer)
    return answer
  }
}

/** Quotes inside JSON strings are escaped, so a match is always a member. */
const typeOf = (message: string): string | undefined =>
  (TYPE.exec(message.slice(0, EDGE)) ?? TYPE.exec(message.slice(-EDGE)))?.[1]

function inputTokensOf(message: string | Uint8Array, type: string | undefined): number {
  if (type === 'input_audio_buffer.append') return message.length / SOUND_PER_INPUT_TOKEN
  const characters = Math.max(0, message.length - ENVELOPE) / CHARACTERS_PER_TOKEN
  return typeof message === 'string' && message.includes(IMAGE) ? Math.min(TOKENS_PER_IMAGE, characters) : characters
}

/** Returns the characters of a delta in JSON. */
function deltaLength(message: string): number {
  const name = message.indexOf(DELTA)
  const start = name < 0 ? -1 : message.indexOf('"', name + DELTA.length)
  return start < 0 ? 0 : stringLength(message, start + 1, endOfString(message, start + 1))
}
