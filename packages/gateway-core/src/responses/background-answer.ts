import type { Result } from 'neverthrow'
import { isObject } from '../chat/is-object.ts'
import type { Streamed } from '../dialects/answering/answering.ts'
import type { JsonObject } from '../dialects/dialect.ts'
import type { ModelCallError } from '../models/model-call-error.ts'
import { type EventReplay, LAST_EVENTS } from './event-replay.ts'
import { readEvent, splitEvents } from './response-event.ts'

/** How an upstream answered a request in the background: with a response, or with an error inside its stream. */
export type BackgroundAnswer =
  | { readonly response: JsonObject }
  | { readonly error: { readonly code: string; readonly message: string } }

export type Answered = Result<BackgroundAnswer, ModelCallError>

/** Events that the gateway sends itself, before the upstream is called. */
const FIRST: ReadonlySet<string> = new Set(['response.created', 'response.queued'])

/**
 * Reads a stream to its end, and adds its events to the replay, except for the first and the last ones.
 *
 * @param restate returns a response as its client requested it
 * @returns the answer of its last event. Once the signal aborts, an error.
 */
export function followStream(
  streamed: Streamed,
  replay: EventReplay,
  signal: AbortSignal,
  restate: (response: JsonObject) => JsonObject,
): Promise<BackgroundAnswer> {
  let hasFailed = false
  let answer: BackgroundAnswer = { error: { code: 'server_error', message: 'The stream ended without a response.' } }
  const read = (text: string): void => {
    const event = readEvent(text)
    if (!event || FIRST.has(event.type)) return
    const { type, fields } = event
    if (type === 'error') {
      hasFailed = true
      answer = { error: errorIn(fields) }
    } else if (!isObject(fields.response)) replay.add(event)
    else if (LAST_EVENTS.has(type)) answer = hasFailed ? answer : { response: fields.response }
    else replay.add({ type, fields: { ...fields, response: restate(fields.response) } })
  }
  return new Promise((resolve) => {
    const end = () => resolve(answer)
    signal.addEventListener('abort', end, { once: true })
    const write = (chunk: Uint8Array | string) => {
      for (const text of splitEvents(chunk)) read(text)
      return true
    }
    streamed.attach({ write, end })
    if (signal.aborted) end()
  })
}

function errorIn(fields: JsonObject): { readonly code: string; readonly message: string } {
  const { code, message } = isObject(fields.error) ? fields.error : fields
  return {
    code: typeof code === 'string' ? code : 'server_error',
    message: typeof message === 'string' ? message : 'The stream of the upstream failed.',
  }
}
