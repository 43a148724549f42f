import { CallArguments } from '../call-arguments.ts'
import type { ConversationEvent, ConversationUsage } from '../conversation/conversation-answer.ts'
import type { JsonObject } from '../dialect.ts'
import type { AnswerContext, EventWriter } from '../translation.ts'
import { type BlockWriter, blockWriter } from './block-writer.ts'
import { endingOf } from './endings.ts'
import { messageErrorOf } from './message-error.ts'
import { toolNames } from './tool-names.ts'
import { lastUsageOf } from './usage.ts'
import { messageHead, messageUsage } from './write-answer.ts'

type PartEvent = Extract<ConversationEvent, { readonly index: number }>

/** Creates the writer of one message stream. Blocks never overlap: those of calls that do are kept until their turn. */
export function writeEvents(context: AnswerContext): EventWriter {
  const { nameOf } = toolNames(context.request)
  const callArguments = new CallArguments()
  const waiting = new Map<number, PartEvent[]>()
  let active: { readonly index: number; readonly writer: BlockWriter } | undefined
  let blocks = 0
  let hasStarted = false
  let hasEnded = false
  let usage: ConversationUsage | undefined
  const content = { calls: false, refusal: false }

  const begin = (index: number, event: Extract<PartEvent, { readonly type: 'part' }>): readonly JsonObject[] => {
    if (event.part.type === 'tool-call') content.calls = true
    if (event.part.type === 'refusal') content.refusal = true
    const nextIndex = (): number => {
      blocks += 1
      return blocks - 1
    }
    active = { index, writer: blockWriter(event.part, { nameOf, newId: context.newId, callArguments, nextIndex }) }
    return active.writer.start()
  }
  const step = (event: PartEvent): readonly JsonObject[] => {
    if (event.type === 'part') return begin(event.index, event)
    if (!active) return []
    if (event.type !== 'part-end') return active.writer.add(event)
    const last = active.writer.end(event.part)
    active = undefined
    return last
  }
  /** Writes the parts that wait, up to the first one that is incomplete. */
  const next = (): readonly JsonObject[] => {
    const written: JsonObject[] = []
    for (const [index, events] of waiting) {
      if (active) break
      waiting.delete(index)
      for (const event of events) written.push(...step(event))
    }
    return written
  }
  const part = (event: PartEvent): readonly JsonObject[] => {
    if (active && active.index !== event.index) {
      const events = waiting.get(event.index)
      if (events) events.push(event)
      else if (event.type === 'part') waiting.set(event.index, [event])
      return []
    }
    const before = event.type === 'part' && active ? active.writer.end() : []
    const written = before.length === 0 ? step(event) : [...before, ...step(event)]
    return active || waiting.size === 0 ? written : [...written, ...next()]
  }
  const closeAll = (): readonly JsonObject[] => {
    const written: JsonObject[] = []
    while (active) {
      written.push(...active.writer.end())
      active = undefined
      written.push(...next())
    }
    return written
  }
  const start = (id: string, model: string): readonly JsonObject[] => {
    if (hasStarted) return []
    hasStarted = true
    const message = { ...messageHead({ id, model }, context), content: [], stop_reason: null, stop_sequence: null }
    const known = usage ?? { inputTokens: context.estimateInput?.() ?? 0, outputTokens: 0 }
    return [
      { type: 'message_start', message: { ...message, stop_details: null, usage: messageUsage(known, undefined) } },
    ]
  }

  const write = (event: ConversationEvent): readonly JsonObject[] => {
    switch (event.type) {
      case 'start':
        usage = event.usage
        return start(event.id, event.model)
      case 'finish': {
        hasEnded = true
        const last = [...start('', ''), ...closeAll()]
        const delta = { ...endingOf(event.ending, content), container: null }
        return [
          ...last,
          { type: 'message_delta', delta, usage: lastUsageOf(event.usage ?? usage) },
          { type: 'message_stop' },
        ]
      }
      case 'error':
        hasEnded = true
        return [{ type: 'error', error: messageErrorOf(event.error) }]
      case 'ping':
        return [{ type: 'ping' }]
      default:
        return hasStarted ? part(event) : [...start('', ''), ...part(event)]
    }
  }
  return { write: (event) => (hasEnded ? '' : write(event).map(encoded).join('')) }
}

const encoded = (event: JsonObject): string => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
