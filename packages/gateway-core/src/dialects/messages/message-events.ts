import type { JsonObject } from '../dialect.ts'
import { listOr } from '../json-values.ts'

/** Writes one event of a stream. */
export const messageEvent = (event: JsonObject): string => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`

/** Writes a whole message as the events of a stream. */
export function messageEvents(message: JsonObject): string {
  const { content, stop_reason, stop_sequence, stop_details, container, usage } = message
  const delta = { stop_reason, stop_sequence, stop_details, container }
  const events: readonly JsonObject[] = [
    { type: 'message_start', message: { ...message, content: [] } },
    ...listOr(content).flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: block },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta, usage },
    { type: 'message_stop' },
  ]
  return events.map(messageEvent).join('')
}
