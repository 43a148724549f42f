import type { JsonObject } from '../dialect.ts'
import { listOr, objectOr } from '../json-values.ts'
import { PausedTurn } from './paused-turn.ts'
import { withCounts } from './usage.ts'

export interface WholeTurnOptions<Answer> {
  /** Without it there is one round. */
  readonly mayPause: boolean
  readonly ask: (body: JsonObject) => Promise<Answer>
  readonly messageOf: (answer: Answer) => JsonObject
  /** Receives the usage of all rounds so far before each further one. */
  readonly onPaused: (usage: JsonObject) => void
}

/** Requests a whole message, and continues it where the upstream pauses. @returns one message with all of its turn */
export async function wholeTurn<Answer>(
  body: JsonObject,
  { mayPause, ask, messageOf, onPaused }: WholeTurnOptions<Answer>,
): Promise<{ readonly last: Answer; readonly message: JsonObject }> {
  const turn = new PausedTurn(body)
  let id: unknown
  for (let request: JsonObject | undefined = body; ; ) {
    const last = await ask(request)
    const message = messageOf(last)
    id ??= message.id
    if (!mayPause) return { last, message }
    request = turn.add(roundOf(message))
    if (request) {
      onPaused(turn.usage)
      continue
    }
    // A later answer that is not a message is refused by its reader.
    if (!turn.isContinued || !Array.isArray(message.content)) return { last, message }
    const usage = { ...objectOr(message.usage), ...turn.usage }
    return { last, message: { ...message, id, content: turn.content, usage } }
  }
}

const roundOf = ({ content, usage, stop_reason: stopReason, container }: JsonObject) => ({
  content: listOr(content).map(objectOr),
  counts: withCounts({}, usage),
  stopReason,
  container,
})
