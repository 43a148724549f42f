import type { OutputPart } from '../../conversation/conversation-parts.ts'
import type { Turn } from '../../conversation/conversation-request.ts'
import { Seals } from '../../seals.ts'

/** The turns of a conversation that is being read. What the model says in several items is one turn. */
export class TurnList {
  readonly turns: Turn[] = []
  /** Opens what the client returns of reasoning. */
  readonly seals = new Seals()
  /** The parts of the last turn, where it is the model's. */
  #open: OutputPart[] | undefined

  add(turn: Turn): void {
    this.turns.push(turn)
    this.#open = undefined
  }

  addModelParts(parts: readonly OutputPart[], at: string): void {
    if (!this.#open) {
      const content: OutputPart[] = []
      this.add({ role: 'assistant', content, at })
      this.#open = content
    }
    // Spreading the parts into one call would overflow the stack for a long list.
    for (const part of parts) this.#open.push(part)
  }
}
