import type { ChatChoiceMessage, ChatCompletion } from '@trivium/gateway-core/ports'
import type { GenerateResult } from '../language-model.ts'
import { annotation, image } from './content.ts'
import { finishReason } from './finish-reason.ts'
import { usage } from './usage.ts'

/** Values for an answer whose model does not set them. */
export interface AnswerDefaults {
  readonly id: string
  readonly model: string
  readonly now: Date
}

/**
 * Converts a model's result to a chat completion.
 *
 * @throws ProviderFailure if the model reports that it failed or was interrupted
 */
export function completion(result: GenerateResult, defaults: AnswerDefaults): ChatCompletion {
  const { id, timestamp, modelId } = result.response ?? {}
  const counted = usage(result.usage)
  return {
    id: id ?? defaults.id,
    object: 'chat.completion',
    created: Math.floor((timestamp ?? defaults.now).getTime() / 1000),
    model: modelId ?? defaults.model,
    choices: [{ index: 0, message: message(result), logprobs: null, finish_reason: finishReason(result.finishReason) }],
    ...(counted ? { usage: counted } : {}),
  }
}

function message({ content }: GenerateResult): ChatChoiceMessage {
  let text = ''
  let reasoning = ''
  const calls: NonNullable<ChatChoiceMessage['tool_calls']>[number][] = []
  const annotations: unknown[] = []
  const images: unknown[] = []
  for (const part of content) {
    if (part.type === 'text') text += part.text
    else if (part.type === 'reasoning') reasoning += part.text
    else if (part.type === 'source' && part.sourceType === 'url') annotations.push(annotation(part, text.length))
    else if (part.type === 'file') images.push(...image(part))
    else if (part.type === 'tool-call' && part.providerExecuted !== true) {
      calls.push({ id: part.toolCallId, type: 'function', function: { name: part.toolName, arguments: part.input } })
    }
  }
  return {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    refusal: null,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(annotations.length > 0 ? { annotations } : {}),
    ...(images.length > 0 ? { images } : {}),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  }
}
