import { byteLength } from '../byte-length.ts'
import type { JsonObject } from '../dialects/dialect.ts'
import type { GuardrailError } from '../guardrails/guardrail-error.ts'
import { type CapturedAnswer, MAX_ANSWER_TEXTS } from './answer-texts.ts'
import { answerText, type PromptParts, promptParts } from './bounded-text.ts'
import type { LoggedText, LoggedTexts } from './logged-text.ts'
import { BEYOND, type Mask, PART, redactedText } from './redacted-text.ts'

/**
 * What the log learns of one request besides its usage: its texts, and what guardrails do with its answer, which they may
 * still check when the upstream has answered.
 */
export class CapturedContent {
  /** 0 where texts are not stored. */
  readonly #most: number
  #prompt: PromptParts = { parts: [], isCut: false }
  #answer: CapturedAnswer | undefined
  #stopped: GuardrailError | undefined
  #isHeld = false
  #then: (() => void) | undefined

  /** @param most the most bytes of the prompt and of the answer. 0: none are stored */
  constructor(most: number) {
    this.#most = most
  }

  /** Why guardrails have stopped the answer. */
  get stopped(): GuardrailError | undefined {
    return this.#stopped
  }

  /** Guardrails have stopped the answer. */
  stoppedBy(error: GuardrailError): void {
    this.#stopped = error
  }

  /** The client does not have the whole answer yet. @returns a function for when it has, which may be called again */
  hold(): () => void {
    this.#isHeld = true
    return () => {
      this.#isHeld = false
      this.#then?.()
      this.#then = undefined
    }
  }

  /** Calls a function once the client has the whole answer. */
  whenDone(then: () => void): void {
    if (this.#isHeld) this.#then = then
    else then()
  }

  /** Sets the prompt. */
  asked(body: JsonObject): void {
    if (this.#most > 0) this.#prompt = promptParts(body, this.#most + BEYOND)
  }

  /** Sets what a stream is read into. A later attempt replaces it. */
  set answer(answer: CapturedAnswer) {
    this.#answer = answer
  }

  answered(value: JsonObject): void {
    if (this.#most === 0) return
    const text = answerText(value, this.#most + BEYOND)
    this.#answer = { texts: [{ group: undefined, text }], isCut: text.isFull, isComplete: true }
  }

  /** The most characters that it keeps. */
  get size(): number {
    return this.#most === 0 ? 0 : 2 * this.#most + (1 + MAX_ANSWER_TEXTS) * BEYOND
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
async function redactedAnswer({ texts, isComplete }: CapturedAnswer, mask: Mask): Promise<string> {
  let whole = ''
  let before: string | undefined
  for (const { group, text } of texts) {
    if (whole !== '') whole += group !== undefined && group === before ? PART : '\n'
    whole += await redactedText({ text: text.text, isCut: text.isFull || !isComplete }, mask)
    before = group
  }
  return whole.includes(PART) ? redactedText({ text: whole, isCut: !isComplete }, mask) : whole
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

/** Returns the beginning of a text that has at most so many bytes, in whole characters. */
function cut(text: string, most: number, truncated: boolean): LoggedText {
  if (text.length * 3 <= most) return { text, truncated }
  const { read } = encoder.encodeInto(text, new Uint8Array(most))
  return { text: text.slice(0, read), truncated: truncated || read < text.length }
}
