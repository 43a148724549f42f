import type { LanguageModelV2CallOptions, LanguageModelV3CallOptions } from '@ai-sdk/provider'
import { unsupportedParameter } from '@trivium/gateway-core/ports'
import type { CallOptions } from './call-options.ts'
import type { FilePart, PromptMessage, TextPart, ToolCallPart, ToolOutput } from './prompt-message.ts'

/** Converts a call to version 3, which has files without a type and no `reasoning`. */
export function v3CallOptions({ reasoning, prompt, ...rest }: CallOptions): LanguageModelV3CallOptions {
  return { ...rest, prompt: prompt.map((message) => earlierMessage(message, v3Output)) }
}

/**
 * Converts a call to version 2, which also has no URLs in tool results and no `strict` tools.
 *
 * @throws ProviderFailure for a URL in a tool result
 */
export function v2CallOptions({ reasoning, prompt, tools, ...rest }: CallOptions): LanguageModelV2CallOptions {
  return {
    ...rest,
    prompt: prompt.map((message) => earlierMessage(message, v2Output)),
    ...(tools ? { tools: tools.map(({ strict, ...tool }) => tool) } : {}),
  }
}

function earlierMessage<Output>(message: PromptMessage, outputOf: (output: ToolOutput) => Output) {
  switch (message.role) {
    case 'system':
      return message
    case 'user':
      return { role: message.role, content: message.content.map((part) => earlierPart(part)) }
    case 'assistant':
      return { role: message.role, content: message.content.map((part) => earlierPart(part)) }
    case 'tool':
      return {
        role: message.role,
        content: message.content.map((part) => ({ ...part, output: outputOf(part.output) })),
      }
  }
}

const earlierPart = <Part extends TextPart | ToolCallPart>(part: Part | FilePart) =>
  part.type === 'file' ? { ...part, data: part.data.type === 'data' ? part.data.data : part.data.url } : part

const v3Output = (output: ToolOutput) =>
  output.type === 'text' ? output : { type: output.type, value: output.value.map(v3ResultPart) }

function v3ResultPart(part: TextPart | FilePart) {
  if (part.type === 'text') return part
  const { data, mediaType } = part
  if (data.type === 'url') return { type: 'image-url' as const, url: data.url.href }
  return {
    type: mediaType.startsWith('image/') ? ('image-data' as const) : ('file-data' as const),
    data: data.data,
    mediaType,
  }
}

const v2Output = (output: ToolOutput) =>
  output.type === 'text' ? output : { type: output.type, value: output.value.map(v2ResultPart) }

function v2ResultPart(part: TextPart | FilePart) {
  if (part.type === 'text') return part
  if (part.data.type === 'data') return { type: 'media' as const, data: part.data.data, mediaType: part.mediaType }
  throw unsupportedParameter('messages', 'This model does not accept URLs in the results of tools.')
}
