import { isObject } from '../chat/is-object.ts'
import type { JsonObject } from '../dialects/dialect.ts'
import type { ResponseEvent } from './response-event.ts'

type Events = Generator<ResponseEvent, void>

const event = (type: string, fields: JsonObject): ResponseEvent => ({ type: `response.${type}`, fields })

const objects = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** Returns the events of one item, each text in one piece. */
export function* eventsOfItem(item: JsonObject, index: number): Events {
  const place = { item_id: item.id, output_index: index }
  const status = item.status === undefined ? {} : { status: 'in_progress' }
  yield event('output_item.added', { output_index: index, item: { ...item, ...status, ...emptied(item) } })
  yield* eventsWithin(item, place)
  yield event('output_item.done', { output_index: index, item })
}

/** Returns what an item does not have when it begins. */
function emptied({ type, content }: JsonObject): JsonObject {
  switch (type) {
    case 'message':
      return { content: [] }
    case 'reasoning':
      return content === undefined ? { summary: [] } : { summary: [], content: [] }
    case 'function_call':
      return { arguments: '' }
    case 'custom_tool_call':
      return { input: '' }
    default:
      return {}
  }
}

function* eventsWithin(item: JsonObject, place: JsonObject): Events {
  switch (item.type) {
    case 'message':
      for (const [index, part] of objects(item.content).entries()) yield* eventsOfPart(part, place, index)
      return
    case 'reasoning':
      for (const [index, part] of objects(item.summary).entries()) yield* eventsOfSummary(part, place, index)
      for (const [index, part] of objects(item.content).entries()) yield* eventsOfPart(part, place, index)
      return
    case 'function_call':
      yield event('function_call_arguments.delta', { ...place, delta: item.arguments })
      yield event('function_call_arguments.done', { ...place, name: item.name, arguments: item.arguments })
      return
    case 'custom_tool_call':
      yield event('custom_tool_call_input.delta', { ...place, delta: item.input })
      yield event('custom_tool_call_input.done', { ...place, input: item.input })
  }
}

function* eventsOfPart(part: JsonObject, of: JsonObject, index: number): Events {
  const place = { ...of, content_index: index }
  if (part.type === 'output_text') {
    yield event('content_part.added', { ...place, part: { ...part, text: '', annotations: [] } })
    const logprobs = objects(part.logprobs)
    yield event('output_text.delta', { ...place, delta: part.text, logprobs })
    for (const [at, annotation] of objects(part.annotations).entries()) {
      yield event('output_text.annotation.added', { ...place, annotation_index: at, annotation })
    }
    yield event('output_text.done', { ...place, text: part.text, logprobs })
  } else if (part.type === 'reasoning_text') {
    yield event('content_part.added', { ...place, part: { ...part, text: '' } })
    yield event('reasoning_text.delta', { ...place, delta: part.text })
    yield event('reasoning_text.done', { ...place, text: part.text })
  } else if (part.type === 'refusal') {
    yield event('content_part.added', { ...place, part: { ...part, refusal: '' } })
    yield event('refusal.delta', { ...place, delta: part.refusal })
    yield event('refusal.done', { ...place, refusal: part.refusal })
  } else {
    yield event('content_part.added', { ...place, part })
  }
  yield event('content_part.done', { ...place, part })
}

function* eventsOfSummary(part: JsonObject, of: JsonObject, index: number): Events {
  const place = { ...of, summary_index: index }
  yield event('reasoning_summary_part.added', { ...place, part: { ...part, text: '' } })
  yield event('reasoning_summary_text.delta', { ...place, delta: part.text })
  yield event('reasoning_summary_text.done', { ...place, text: part.text })
  yield event('reasoning_summary_part.done', { ...place, part })
}
