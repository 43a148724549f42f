import { isTooDeep } from '../../nesting.ts'
import { ProviderFailure } from '../../providers/provider-error.ts'
import type { AnswerEnding, ConversationAnswer } from '../conversation/conversation-answer.ts'
import type { OutputPart } from '../conversation/conversation-parts.ts'
import type { JsonObject } from '../dialect.ts'
import { JsonAllowance } from '../json-allowance.ts'
import { objectOr, textIn, textOr } from '../json-values.ts'
import { Seals } from '../seals.ts'
import type { AnswerContext } from '../translation.ts'
import { type ClientCalls, clientCalls } from './client-calls.ts'
import { endingFrom, tierFrom } from './endings.ts'
import { given } from './fields.ts'
import { outputParts } from './read-blocks.ts'
import { usageFrom, withCounts } from './usage.ts'

/**
 * Reads a message.
 *
 * @throws ProviderFailure of type `malformed` for what is not a message, or is nested too deeply
 */
export function readAnswer(message: JsonObject, context: AnswerContext): ConversationAnswer {
  if (!Array.isArray(message.content) || isTooDeep(message)) throw malformed('The upstream answered without a message.')
  const calls = clientCalls(context)
  const content = [
    ...outputParts(message.content, '', { seals: new Seals(), inputs: new JsonAllowance() }).map((part) =>
      clientPart(part, calls),
    ),
    ...refusalParts(message.stop_details),
  ]
  const usage = usageFrom(withCounts({}, message.usage))
  return {
    id: textOr(message.id),
    model: textOr(message.model),
    created: context.now,
    content,
    ending: clientEnding(endingFrom(message.stop_reason, message.stop_sequence), content),
    ...given('usage', usage),
    ...given('serviceTier', tierFrom(objectOr(message.usage).service_tier)),
  }
}

export const malformed = (message: string): ProviderFailure => new ProviderFailure({ type: 'malformed', message })

/** An answer has no places of a request. */
export function clientPart({ at: _, ...part }: OutputPart, calls: ClientCalls): OutputPart {
  return part.type === 'tool-call' ? calls.partOf(part) : part
}

/** Reads why the model does not answer, which is not a part of the content. */
export function refusalParts(details: unknown): readonly OutputPart[] {
  const { type, explanation } = objectOr(details)
  const text = type === 'refusal' ? textIn(explanation) : undefined
  return text === undefined ? [] : [{ type: 'refusal', text }]
}

/** A call that is the answer itself ends as a text does. */
export const clientEnding = (
  ending: AnswerEnding,
  content: readonly { readonly type: OutputPart['type'] }[],
): AnswerEnding =>
  ending.reason === 'tool-calls' && !content.some(({ type }) => type === 'tool-call' || type === 'foreign')
    ? { reason: 'stop' }
    : ending
