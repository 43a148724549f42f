import type { AnswerEnding } from '../../conversation/conversation-answer.ts'
import type { JsonObject } from '../../dialect.ts'
import { objectOf } from '../../json-values.ts'

/** Reads why a response ended. @param calls whether it calls a tool of the client */
export function readEnding(response: JsonObject, calls: boolean): AnswerEnding {
  if (response.status !== 'incomplete') return { reason: calls ? 'tool-calls' : 'stop' }
  const reason = objectOf(response.incomplete_details)?.reason
  return { reason: reason === 'content_filter' ? 'content-filter' : 'length' }
}

/** The status of a response, and why it is incomplete. */
export interface ResponseEnd {
  readonly status: 'completed' | 'incomplete'
  readonly incomplete_details: { readonly reason: string } | null
}

const completed: ResponseEnd = { status: 'completed', incomplete_details: null }

export function writeEnding({ reason }: AnswerEnding): ResponseEnd {
  switch (reason) {
    case 'length':
    case 'context':
    // OpenAI has no reason for a pause, and the answer is not complete.
    case 'pause':
      return { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
    case 'content-filter':
    case 'refusal':
      return { status: 'incomplete', incomplete_details: { reason: 'content_filter' } }
    default:
      return completed
  }
}
