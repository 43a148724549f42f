import { isObject } from '../../chat/is-object.ts'
import { isTooDeep } from '../../nesting.ts'
import type { ConversationEvent } from '../conversation/conversation-answer.ts'
import type { OutputPart } from '../conversation/conversation-parts.ts'
import type { JsonObject } from '../dialect.ts'
import { objectOr, textOr } from '../json-values.ts'
import type { AnswerContext, EventReader } from '../translation.ts'
import { blockReader } from './block-reader.ts'
import { endingFrom, tierFrom } from './endings.ts'
import { given, membersOf } from './fields.ts'
import { clientEnding, malformed, refusalParts } from './read-answer.ts'
import { errorFrom } from './stream-errors.ts'
import { type MessageCounts, usageFrom, withCounts } from './usage.ts'

const endMembers = ['stop_reason', 'stop_sequence', 'stop_details']

/** Creates the reader of one message stream. Events in a wrong order, and unknown ones, are ignored. */
export function readEvents(context: AnswerContext): EventReader {
  const blocks = blockReader(context)
  const kinds: { readonly type: OutputPart['type'] }[] = []
  let hasStarted = false
  let hasEnded = false
  let counts: MessageCounts = {}
  let tier: string | undefined
  let end: JsonObject = {}

  const count = (usage: unknown): void => {
    counts = withCounts(counts, usage)
    tier = tierFrom(objectOr(usage).service_tier) ?? tier
  }
  const start = (message: JsonObject): readonly ConversationEvent[] => {
    if (hasStarted) return []
    hasStarted = true
    count(message.usage)
    return [
      {
        type: 'start',
        id: textOr(message.id),
        model: textOr(message.model),
        created: context.now,
        ...given('usage', usageFrom(counts)),
      },
    ]
  }
  const refusal = (): readonly ConversationEvent[] =>
    refusalParts(end.stop_details).flatMap((part) => blocks.whole(part))
  const noted = (events: readonly ConversationEvent[]): readonly ConversationEvent[] => {
    for (const event of events) if (event.type === 'part' && kinds.length < 1000) kinds.push({ type: event.part.type })
    return events
  }
  const finish = (): readonly ConversationEvent[] => {
    hasEnded = true
    const last = noted([...blocks.end(), ...refusal()])
    const ending = clientEnding(endingFrom(end.stop_reason, end.stop_sequence), kinds)
    return [
      ...start({}),
      ...last,
      { type: 'finish', ending, ...given('usage', usageFrom(counts)), ...given('serviceTier', tier) },
    ]
  }

  const read = (name: string | undefined, event: JsonObject): readonly ConversationEvent[] => {
    switch (event.type ?? name) {
      case 'message_start':
        return start(objectOr(event.message))
      case 'content_block_start': {
        const block = objectOr(event.content_block)
        if (isTooDeep(block)) throw malformed('The upstream sent a block that is nested too deeply.')
        return [...start({}), ...noted(blocks.start(event.index, block))]
      }
      case 'content_block_delta':
        return isObject(event.delta) ? blocks.delta(event.index, event.delta) : []
      case 'content_block_stop':
        return blocks.stop(event.index)
      case 'message_delta':
        end = { ...end, ...membersOf(event.delta, endMembers) }
        count(event.usage)
        return []
      case 'message_stop':
        return finish()
      case 'ping':
        return [{ type: 'ping' }]
      case 'error':
        hasEnded = true
        return [{ type: 'error', error: errorFrom(event, !hasStarted) }]
      default:
        return []
    }
  }
  return {
    read: (name, event) => (hasEnded ? [] : read(name, event)),
    end: () => [],
  }
}
