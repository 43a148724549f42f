import { endOfString, stringLength } from './json-strings.ts'

/** The approximate ratio of common tokenizers for English. */
const CHARACTERS_PER_TOKEN = 4
/** On average, events of one token have fewer characters. */
const CHARACTERS_PER_EVENT = 6
/** Texts with longer events are measured always, because a single one may be most of an answer. */
const LONG_EVENT = 4096
/** Of the others one of so many is measured, up to so many characters: measuring all takes longer than to relay them. */
const SAMPLED = 8
const MAX_SAMPLE = 4096

/** Matches the starts of texts. @param names their members, which repeat no part of an answer */
export const startOfText = (...names: readonly string[]): RegExp =>
  new RegExp(`"(?:${names.join('|')})"\\s*:\\s*"`, 'g')

/** Estimates tokens as the events that brought them, or where these have more than a token each, by their characters. */
export const tokensOfEvents = (events: number, characters: number): number =>
  characters > events * CHARACTERS_PER_EVENT ? Math.ceil(characters / CHARACTERS_PER_TOKEN) : events

/**
 * Estimates the output tokens of a stream from its events, and from the characters of their deltas. Events that are not parsed are measured by samples.
 */
export class OutputEstimate {
  readonly #member: RegExp
  #events = 0
  #texts = 0
  /** Of deltas that were measured as a whole. */
  #characters = 0
  /** Of texts of which some were measured, those that were, and the deltas in these. */
  #passed = 0
  #sampled = 0
  #found = 0

  /** @param member the start of a text that is a part of the answer, of {@link startOfText} */
  constructor(member: RegExp) {
    this.#member = member
  }

  get tokens(): number {
    const passed = this.#sampled === 0 ? 0 : (this.#passed * this.#found) / this.#sampled
    return tokensOfEvents(this.#events, this.#characters + passed)
  }

  /** Counts an event that was parsed. @param characters those of its deltas */
  add(characters: number): void {
    this.#events += 1
    this.#characters += characters
  }

  /** Counts events that were not parsed. */
  pass(text: string, events: number): void {
    this.#events += events
    if (text.length > events * LONG_EVENT) {
      this.#characters += this.#measure(text)
      return
    }
    this.#passed += text.length
    if (this.#texts % SAMPLED === 0) {
      const sample = text.slice(0, MAX_SAMPLE)
      this.#sampled += sample.length
      this.#found += this.#measure(sample)
    }
    this.#texts += 1
  }

  #measure(text: string): number {
    const member = this.#member
    let characters = 0
    member.lastIndex = 0
    while (member.test(text)) {
      const start = member.lastIndex
      const end = endOfString(text, start)
      characters += stringLength(text, start, end)
      member.lastIndex = end
    }
    return characters
  }
}
