import type { ConversationAnswer } from '../../conversation/conversation-answer.ts'
import type { JsonObject } from '../../dialect.ts'
import type { AnswerContext } from '../../translation.ts'
import { writeEnding } from './endings.ts'
import { repeatedFields, responseId } from './response-head.ts'
import { writeUsage } from './usage.ts'
import { writeItems } from './write-items.ts'

/** Writes a complete answer, which repeats the fields of its request. */
export function writeAnswer(answer: ConversationAnswer, context: AnswerContext): JsonObject {
  const { status, incomplete_details } = writeEnding(answer.ending)
  return {
    ...repeatedFields(context.requested),
    id: responseId(context),
    object: 'response',
    created_at: answer.created,
    completed_at: status === 'completed' ? Math.max(answer.created, context.now) : null,
    status,
    error: null,
    incomplete_details,
    model: answer.model,
    output: writeItems(answer.content, context, status),
    ...(answer.serviceTier === undefined ? {} : { service_tier: answer.serviceTier }),
    usage: answer.usage ? writeUsage(answer.usage) : null,
  }
}
