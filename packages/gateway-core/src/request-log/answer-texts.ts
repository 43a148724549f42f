import { BoundedText } from './bounded-text.ts'
import { BEYOND } from './redacted-text.ts'

/** The most texts of an answer. */
export const MAX_ANSWER_TEXTS = 32

/** What was read of an answer. */
export interface CapturedAnswer {
  /** In the order of their beginnings. */
  readonly texts: readonly AnswerText[]
  /** Whether there was more than is kept. */
  readonly isCut: boolean
  /** Whether it has arrived to its end. */
  readonly isComplete: boolean
}

export interface AnswerText {
  /** Texts of one group that follow each other are parts of one text. */
  readonly group: string | undefined
  readonly text: BoundedText
}

/** Collects the texts of a stream, whose pieces may alternate: together up to a number of characters, and a bit of each. */
export class AnswerTexts implements CapturedAnswer {
  readonly #texts = new Map<string, AnswerText>()
  #left: number
  #isCut = false
  #isComplete = false

  constructor(most: number) {
    this.#left = most
  }

  get texts(): readonly AnswerText[] {
    return [...this.#texts.values()]
  }

  get isCut(): boolean {
    return this.#isCut
  }

  get isComplete(): boolean {
    return this.#isComplete
  }

  /** The answer has arrived to its end. */
  complete(): void {
    this.#isComplete = true
  }

  /** Whether nothing more is kept. */
  get isFull(): boolean {
    return this.#isCut && this.texts.every(({ text }) => text.isFull)
  }

  has(key: string): boolean {
    return this.#texts.has(key)
  }

  /** Adds a piece of the text with this key. */
  add(key: string, piece: string, group?: string): void {
    if (piece === '') return
    const text = this.#texts.get(key)?.text ?? this.#begin(key, group)
    if (!text || text.isFull) return
    const taken = Math.min(piece.length, this.#left)
    this.#left -= taken
    text.add(piece.slice(0, taken))
    if (taken === piece.length) return
    this.#isCut = true
    text.bound(BEYOND)
    text.add(piece.slice(taken))
  }

  #begin(key: string, group: string | undefined): BoundedText | undefined {
    if (this.#left === 0 || this.#texts.size === MAX_ANSWER_TEXTS) {
      this.#isCut = true
      return undefined
    }
    const text = new BoundedText(Number.POSITIVE_INFINITY)
    this.#texts.set(key, { group, text })
    return text
  }
}
