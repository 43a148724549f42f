import type { OutputPart, RefusalPart, TextPart } from '../../conversation/conversation-parts.ts'
import type { JsonObject } from '../../dialect.ts'
import { objectOf } from '../../json-values.ts'
import type { AnswerContext } from '../../translation.ts'
import { writeCall } from '../items/call-items.ts'
import { writeReasoning } from '../items/reasoning-items.ts'
import { writeSearch } from '../items/search-items.ts'
import { writeOutputPart } from '../items/text-parts.ts'

/** A part that is an item of its own, unlike texts and refusals, which a message has. */
export type ItemPart = Exclude<OutputPart, TextPart | RefusalPart>

export const isSaid = (part: OutputPart): part is TextPart | RefusalPart =>
  part.type === 'text' || part.type === 'refusal'

/** Returns whether the text of reasoning is a summary for the client, which shows no other reasoning. */
export function showsReasoning({ requested }: AnswerContext): boolean {
  const reasoning = objectOf(requested.reasoning)
  return typeof (reasoning?.summary ?? reasoning?.generate_summary) === 'string'
}

/** Writes the parts of an answer. Texts that follow each other are one message. @param status that of a message or a call at the end */
export function writeItems(
  content: readonly OutputPart[],
  context: AnswerContext,
  status: 'completed' | 'incomplete',
): readonly JsonObject[] {
  const items: JsonObject[] = []
  let said: JsonObject[] | undefined
  for (const part of content) {
    if (isSaid(part)) {
      if (!said) {
        said = []
        items.push(messageItem(newItemId('msg', context), said, 'completed'))
      }
      said.push(writeOutputPart(part))
      continue
    }
    const item = writeItem(part, itemId(part, context), context, 'completed')
    if (!item) continue
    said = undefined
    items.push(item)
  }
  const last = items.at(-1)
  return last && (said || content.at(-1)?.type === 'tool-call') ? [...items.slice(0, -1), { ...last, status }] : items
}

export const messageItem = (id: string, content: readonly JsonObject[], status: string): JsonObject => ({
  type: 'message',
  id,
  status,
  role: 'assistant',
  content,
})

/** Writes an item. Returns `undefined` for a part of another dialect, which clients of responses cannot read. */
export function writeItem(part: ItemPart, id: string, context: AnswerContext, status: string): JsonObject | undefined {
  switch (part.type) {
    case 'reasoning':
      return writeReasoning(part, id, showsReasoning(context))
    case 'tool-call':
      return { ...writeCall(part, id, true), status }
    case 'search-call':
      return { ...writeSearch(part, part.failed && status === 'completed' ? 'failed' : status), id }
    case 'image':
      return part.source.type === 'base64'
        ? { type: 'image_generation_call', id, status, result: status === 'completed' ? part.source.data : null }
        : undefined
    case 'foreign':
      return part.dialect === 'responses' ? { id, ...objectOf(part.value) } : undefined
  }
}

/** Returns the id of a part's item: that of the part if it has the form of one, or a new one. */
export function itemId(part: ItemPart, context: AnswerContext): string {
  const prefix = prefixOf(part)
  const id = 'id' in part ? part.id : undefined
  return id?.startsWith(`${prefix}_`) ? id : newItemId(prefix, context)
}

export const newItemId = (prefix: string, { newId }: AnswerContext): string => `${prefix}_${newId()}`

function prefixOf(part: ItemPart): string {
  switch (part.type) {
    case 'reasoning':
      return 'rs'
    case 'tool-call':
      return part.kind === 'custom' ? 'ctc' : 'fc'
    case 'search-call':
      return 'ws'
    case 'image':
      return 'ig'
    case 'foreign':
      return 'item'
  }
}
