import type { JsonObject } from '../dialects/dialect.ts'
import { type CapturedAnswer, MAX_ANSWER_TEXTS } from './answer-texts.ts'
import { answerText, type PromptParts, promptParts } from './bounded-text.ts'
import type { LoggedText, LoggedTexts } from './logged-text.ts'
import { BEYOND, type Mask, PART, redactedText } from './redacted-text.ts'

/** The texts of one request, as long as it runs. The answer may arrive after the end of the request. */
export class CapturedContent {
  readonly #most: number
  #prompt: PromptParts = { parts: [], isCut: false }
  #answer: CapturedAnswer | undefined

  /** @param most the most bytes of the prompt and of the answer */
  constructor(most: number) {
    this.#most = most
  }

  /** Sets the prompt. */
  asked(body: JsonObject): void {
    this.#prompt = promptParts(body, this.#most + BEYOND)
  }

  /** Sets what a stream is read into. A later attempt replaces it. */
  set answer(answer: CapturedAnswer) {
    this.#answer = answer
  }

  answered(value: JsonObject): void {
    const text = answerText(value, this.#most + BEYOND)
    this.#answer = { texts: [{ group: undefined, text }], isCut: text.isFull }
  }

  /** The most characters that it keeps. */
  get size(): number {
    return 2 * this.#most + (1 + MAX_ANSWER_TEXTS) * BEYOND
  }

  /** Returns the texts, each part masked before it is cut. */
  async texts(mask: Mask): Promise<LoggedTexts> {
    const { parts, isCut } = this.#prompt
    const masked: string[] = []
    // One after the other, since masks take turns of the event loop.
    for (const part of parts) masked.push(await redactedText(part, mask))
    const answer = this.#answer
    const text = answer ? await redactedAnswer(answer, mask) : ''
    return {
      ...(parts.length > 0 && { prompt: joined(masked, this.#most, isCut) }),
      ...(answer && text !== '' && { answer: cut(text, this.#most, answer.isCut) }),
    }
  }
}

/** Masks each text, and those of one group together. */
async function redactedAnswer({ texts }: CapturedAnswer, mask: Mask): Promise<string> {
  let whole = ''
  let before: string | undefined
  for (const { group, text } of texts) {
    if (whole !== '') whole += group !== undefined && group === before ? PART : '\n'
    whole += await redactedText({ text: text.text, isCut: text.isFull }, mask)
    before = group
  }
  return whole.includes(PART) ? redactedText({ text: whole, isCut: false }, mask) : whole
}

/** Joins parts, the newest of which is the first, from the end as far as they have space. */
function joined(parts: readonly string[], most: number, isCut: boolean): LoggedText {
  const kept: string[] = []
  let left = most
  let truncated = isCut
  for (const part of parts) {
    if (left <= 0) {
      truncated = true
      break
    }
    const { text, truncated: isPart } = cut(part, left, false)
    kept.unshift(text)
    truncated ||= isPart
    left -= byteLength(text) + 1
    if (isPart) break
  }
  return { text: kept.join('\n'), truncated }
}

const encoder = new TextEncoder()

const byteLength = (text: string): number => encoder.encode(text).length

/** Returns the beginning of a text that has at most so many bytes, in whole characters. */
function cut(text: string, most: number, truncated: boolean): LoggedText {
  if (text.length * 3 <= most) return { text, truncated }
  const { read } = encoder.encodeInto(text, new Uint8Array(most))
  return { text: text.slice(0, read), truncated: truncated || read < text.length }
}
