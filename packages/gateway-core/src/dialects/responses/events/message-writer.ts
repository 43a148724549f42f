import type { OutputPart, RefusalPart, TextPart } from '../../conversation/conversation-parts.ts'
import { messageItem } from '../answers/write-items.ts'
import type { EventLog } from './event-log.ts'
import type { Addition, PartWriter } from './part-writer.ts'
import { SaidWriter } from './said-writer.ts'

/** Writes one message of an answer. It is open until another item begins and its parts have ended. */
export class MessageWriter {
  readonly #log: EventLog
  readonly #index: number
  readonly #id: string
  readonly #parts: SaidWriter[] = []
  #openParts = 0
  #sealed = false

  constructor(log: EventLog, index: number, id: string) {
    this.#log = log
    this.#index = index
    this.#id = id
    log.beginItem(index, messageItem(id, [], 'in_progress'))
  }

  /** Begins a part. */
  begin(part: TextPart | RefusalPart): PartWriter {
    const place = { item_id: this.#id, output_index: this.#index, content_index: this.#parts.length }
    const writer = new SaidWriter(this.#log, place, part)
    this.#parts.push(writer)
    this.#openParts += 1
    return {
      add: (addition: Addition) => writer.add(addition),
      end: (final: OutputPart | undefined) => {
        if (writer.written) return
        writer.end(final)
        this.#openParts -= 1
        if (this.#sealed && this.#openParts === 0) this.#end('completed')
      },
    }
  }

  /** Another item has begun, so no further part follows. */
  seal(): void {
    this.#sealed = true
    if (this.#openParts === 0) this.#end('completed')
  }

  /** Ends the message with the answer. */
  close(status: 'completed' | 'incomplete'): void {
    for (const part of this.#parts) part.end(undefined)
    this.#end(status)
  }

  #end(status: string): void {
    const content = this.#parts.flatMap(({ written }) => (written ? [written] : []))
    this.#log.endItem(this.#index, messageItem(this.#id, content, status))
  }
}
