import type { ConversationAnswer } from '../conversation/conversation-answer.ts'
import type { OutputPart } from '../conversation/conversation-parts.ts'
import type { ConversationRequest } from '../conversation/conversation-request.ts'
import { withCitations } from './cited-pages.ts'
import { type ModelSearchesParts, startSearches } from './model-searches.ts'
import type { SearchRounds } from './search-rounds.ts'

/** What the rounds of a complete answer have given so far. */
export interface AnsweredRounds {
  readonly rounds: SearchRounds
  readonly content: OutputPart[]
  /** The answer of the first round. */
  first?: ConversationAnswer
}

/**
 * Asks an upstream until its model searches no more. After a failure of `ask`, another call continues at that round.
 *
 * @returns one answer with the content of all rounds
 */
export async function completeSearching(
  answered: AnsweredRounds,
  ask: (request: ConversationRequest) => Promise<ConversationAnswer>,
  parts: ModelSearchesParts,
): Promise<ConversationAnswer> {
  const { rounds, content } = answered
  for (;;) {
    const answer = await ask(rounds.request)
    answered.first ??= answer
    const { id, created } = answered.first
    const cited = answer.content.map((part) => (part.type === 'text' ? withCitations(part, rounds.pages) : part))
    content.push(...cited.filter((part) => !rounds.isSearch(part)))
    const calls = rounds.end(answer.content, answer.usage)
    if (calls.length === 0) {
      const { usage: _, ...last } = answer
      const { usage } = rounds
      const ending = rounds.endingOf(answer.ending, answer.content)
      return { ...last, id, created, content, ending, ...(usage && { usage }) }
    }
    const searches = await Promise.all(startSearches(calls, parts).map(({ ended }) => ended))
    content.push(...searches.map(({ part }) => part))
    rounds.continue(answer.content, searches)
  }
}
