import type { JsonObject } from '../dialect.ts'
import { objectOr } from '../json-values.ts'
import { membersOf } from './fields.ts'
import { MessageBlocks } from './message-blocks.ts'
import { messageEvent } from './message-events.ts'
import type { PausedTurn } from './paused-turn.ts'
import { type MessageCounts, usageFrom, withCounts } from './usage.ts'

const endMembers = ['stop_reason', 'container']

export interface TurnRoundOptions {
  /** The most characters of a round that are kept for the next request. */
  readonly maxEventBytes: number
  /** Receives the input tokens that all rounds have reported so far. */
  readonly onInputTokens: (tokens: number) => void
}

/** What the client's reader gets of an event. */
export interface TurnStep {
  readonly output: string
  /** The request of the next round, where this one has paused. */
  readonly next?: JsonObject
}

/** Reads the events of one round as those of a longer message. */
export class TurnRoundReader {
  readonly #turn: PausedTurn
  readonly #options: TurnRoundOptions
  readonly #isFirst: boolean
  readonly #blocks = new MessageBlocks()
  #counts: MessageCounts = {}
  #end: JsonObject = {}
  /** The events that report the end, which a pause has, too. */
  #held = ''

  constructor(turn: PausedTurn, options: TurnRoundOptions) {
    this.#turn = turn
    this.#options = options
    this.#isFirst = !turn.isContinued
  }

  /** Whether the content is too large to be kept for the next request. */
  get isTooLarge(): boolean {
    return this.#blocks.characters + this.#held.length > this.#options.maxEventBytes
  }

  /** @param text the event as it came */
  read(event: JsonObject, text: string): TurnStep {
    switch (event.type) {
      case 'message_start': {
        const { usage, container } = objectOr(event.message)
        this.#counts = withCounts(this.#counts, usage)
        this.#end = { container }
        const input = usageFrom(this.#counts)?.inputTokens
        if (input !== undefined) this.#options.onInputTokens((this.#turn.inputTokens ?? 0) + input)
        return { output: this.#isFirst ? text : '' }
      }
      case 'message_delta':
        this.#counts = withCounts(this.#counts, event.usage)
        this.#end = { ...this.#end, ...membersOf(event.delta, endMembers) }
        this.#held += text
        return { output: '' }
      case 'message_stop':
        return this.#stop(text)
      default:
        this.#blocks.read(event, text.length)
        return { output: text }
    }
  }

  #stop(text: string): TurnStep {
    const { stop_reason: stopReason, container } = this.#end
    const next = this.#turn.add({ content: this.#blocks.end(), counts: this.#counts, stopReason, container })
    if (next) return { output: '', next }
    const { isContinued, usage } = this.#turn
    const total = isContinued ? messageEvent({ type: 'message_delta', delta: {}, usage }) : ''
    return { output: this.#held + total + text }
  }
}
