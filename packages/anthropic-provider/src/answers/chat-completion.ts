import type { ChatChoiceMessage, ChatCompletion, ToolCall } from '@trivium/gateway-core/ports'
import { type JsonObject, listOr, objectOr, textOr } from '@trivium/provider-kit/answers'
import { type Annotation, annotation } from './annotation.ts'
import { finishReason } from './finish-reason.ts'
import { usage } from './usage.ts'

/** Converts a message of the Messages API to a chat completion. @param created in Unix seconds */
export function chatCompletion(message: JsonObject, created: number): ChatCompletion {
  const blocks = listOr(message.content).map(objectOr)
  return {
    id: textOr(message.id),
    object: 'chat.completion',
    created,
    model: textOr(message.model),
    choices: [
      {
        index: 0,
        message: assistantMessage(blocks),
        logprobs: null,
        finish_reason: finishReason(message.stop_reason),
      },
    ],
    usage: usage(message.usage),
  }
}

function assistantMessage(blocks: readonly JsonObject[]): ChatChoiceMessage {
  const texts = blocks.filter(({ type }) => type === 'text')
  const calls = blocks.filter(({ type }) => type === 'tool_use')
  const thinking = blocks.filter(({ type }) => type === 'thinking' || type === 'redacted_thinking')
  const reasoning = thinking.map((block) => textOr(block.thinking)).join('')
  const annotations = annotationsOf(texts)
  return {
    role: 'assistant',
    content: texts.length === 0 && calls.length > 0 ? null : texts.map(({ text }) => textOr(text)).join(''),
    refusal: null,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(thinking.length > 0 ? { thinking_blocks: thinking } : {}),
    ...(annotations.length > 0 ? { annotations } : {}),
    ...(calls.length > 0 ? { tool_calls: calls.map(toolCall) } : {}),
  }
}

const toolCall = ({ id, name, input }: JsonObject): ToolCall => ({
  id: textOr(id),
  type: 'function',
  function: { name: textOr(name), arguments: JSON.stringify(objectOr(input)) },
})

function annotationsOf(texts: readonly JsonObject[]): readonly Annotation[] {
  let start = 0
  return texts.flatMap(({ text, citations }) => {
    const place = { start, end: start + textOr(text).length }
    start = place.end
    return listOr(citations).flatMap((citation) => annotation(objectOr(citation), place))
  })
}
