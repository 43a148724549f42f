import type { ConversationEvent } from '../conversation/conversation-answer.ts'
import type { OutputPart } from '../conversation/conversation-parts.ts'
import type { EventWriter } from '../translation.ts'
import { withCitations } from './cited-pages.ts'
import type { SearchRounds } from './search-rounds.ts'

type Finish = Extract<ConversationEvent, { readonly type: 'finish' }>

export interface SearchRoundOptions {
  readonly rounds: SearchRounds
  /** That of the whole answer. */
  readonly writer: EventWriter
  readonly isFirst: boolean
  /** Returns the index of the next part of the whole answer. */
  readonly nextIndex: () => number
  /** Receives the content of the round. @returns what is written of its end */
  readonly onFinish: (finish: Finish, content: readonly OutputPart[]) => string
}

/** Writes the events of one round as those of a longer answer. Calls of the search are not shown. */
export class SearchRoundWriter implements EventWriter {
  readonly #options: SearchRoundOptions
  readonly #content: OutputPart[] = []
  /** The indices of the whole answer by those of the round. Calls of the search have none. */
  readonly #indices = new Map<number, number>()

  constructor(options: SearchRoundOptions) {
    this.#options = options
  }

  write(event: ConversationEvent): string {
    const { writer, isFirst, rounds, nextIndex, onFinish } = this.#options
    switch (event.type) {
      case 'start':
        return isFirst ? writer.write(event) : ''
      case 'finish':
        return onFinish(event, this.#content)
      case 'error':
      case 'ping':
        return writer.write(event)
      case 'part':
        if (rounds.isSearch(event.part)) return ''
        this.#indices.set(event.index, nextIndex())
        return this.#renumbered(event)
      case 'part-end':
        this.#content.push(event.part)
        return this.#end(event)
      default:
        return this.#renumbered(event)
    }
  }

  #end(event: Extract<ConversationEvent, { readonly type: 'part-end' }>): string {
    if (event.part.type !== 'text') return this.#renumbered(event)
    const part = withCitations(event.part, this.#options.rounds.pages)
    const before = event.part.annotations?.length ?? 0
    const { index } = event
    const citations = (part.annotations ?? [])
      .slice(before)
      .map((annotation) => this.#renumbered({ type: 'annotation', index, annotation }))
    return `${citations.join('')}${this.#renumbered({ ...event, part })}`
  }

  #renumbered(event: Extract<ConversationEvent, { readonly index: number }>): string {
    const index = this.#indices.get(event.index)
    return index === undefined ? '' : this.#options.writer.write({ ...event, index })
  }
}
