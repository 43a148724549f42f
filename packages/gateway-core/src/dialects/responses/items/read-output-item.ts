import type { OutputPart } from '../../conversation/conversation-parts.ts'
import type { JsonObject } from '../../dialect.ts'
import { objectsOf, textOf } from '../../json-values.ts'
import { readCall } from './call-items.ts'
import { readReasoning } from './reasoning-items.ts'
import { readSearch } from './search-items.ts'
import { readOutputPart } from './text-parts.ts'

/** Reads one item of an answer. A message has a part for each of its texts and refusals. */
export function readOutputItem(item: JsonObject, customAsFunctions: ReadonlySet<string>): readonly OutputPart[] {
  switch (item.type) {
    case 'message':
      return objectsOf(item.content).flatMap((part) => readOutputPart(part) ?? [])
    case 'reasoning':
      return [readReasoning(item)]
    case 'function_call':
    case 'custom_tool_call':
      return [readCall(item, customAsFunctions)]
    case 'web_search_call':
      return [readSearch(item) ?? foreignPart(item)]
    default:
      return [foreignPart(item)]
  }
}

const foreignPart = (item: JsonObject): OutputPart => ({
  type: 'foreign',
  dialect: 'responses',
  name: textOf(item.type) ?? 'unknown',
  value: item,
})
