import { refusalFrom } from '../../../providers/error-body.ts'
import { ProviderFailure } from '../../../providers/provider-error.ts'
import type { ConversationAnswer } from '../../conversation/conversation-answer.ts'
import type { OutputPart } from '../../conversation/conversation-parts.ts'
import type { JsonObject } from '../../dialect.ts'
import { numberIn, objectsOf, present, textOf } from '../../json-values.ts'
import type { AnswerContext } from '../../translation.ts'
import { readOutputItem } from '../items/read-output-item.ts'
import { readEnding } from './endings.ts'
import { readUsage } from './usage.ts'

/** @throws ProviderFailure for a response that failed, has not ended, or is not one */
export function readAnswer(response: JsonObject, context: AnswerContext): ConversationAnswer {
  if (response.error) throw new ProviderFailure(refusalFrom(response.error, false))
  if (!Array.isArray(response.output) || !hasEnded(response.status)) {
    throw new ProviderFailure({ type: 'malformed', message: 'The upstream sent no complete response.' })
  }
  const content = objectsOf(response.output).flatMap((item) => readOutputItem(item, context.customAsFunctions))
  return {
    ...readHead(response, context),
    content,
    ending: readEnding(response, content.some(isCall)),
    ...present({
      usage: readUsage(response.usage, content.filter(isSearch).length),
      serviceTier: textOf(response.service_tier),
    }),
  }
}

/** Some upstreams give no status. */
const hasEnded = (status: unknown): boolean =>
  [undefined, null, 'completed', 'incomplete'].some((one) => one === status)

export const isCall = ({ type }: OutputPart): boolean => type === 'tool-call'

export const isSearch = ({ type }: OutputPart): boolean => type === 'search-call'

/** Reads what a response and its first event have. */
export function readHead(
  response: JsonObject,
  { now, newId, requested }: AnswerContext,
): Pick<ConversationAnswer, 'id' | 'model' | 'created'> {
  return {
    id: textOf(response.id) ?? newId(),
    model: textOf(response.model) ?? textOf(requested.model) ?? '',
    created: numberIn(response.created_at) ?? now,
  }
}
