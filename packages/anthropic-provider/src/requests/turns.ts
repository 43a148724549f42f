import { invalidParameter, isTooDeep, unsupportedParameter } from '@trivium/gateway-core/ports'
import { isObject, type JsonObject, listOr, objectOr, parseJson, textOr } from '@trivium/provider-kit/answers'
import type { ContentBlock, TextBlock, ToolResultBlock, ToolUseBlock, Turn } from '../messages-api.ts'
import { cacheControl, contentBlocks, textBlocksOnly } from './content-blocks.ts'

export interface Conversation {
  readonly system?: string | readonly TextBlock[]
  readonly messages: readonly Turn[]
}

interface OpenTurn {
  readonly role: Turn['role']
  readonly content: ContentBlock[]
}

/**
 * Converts messages to turns. System and developer messages become the system prompt, in their order. Successive
 * messages of one role become one turn, because all results of parallel tool calls must be in the turn after the calls,
 * before the next text of the user.
 */
export function conversation(messages: readonly unknown[]): Conversation {
  const system: TextBlock[] = []
  const turns: OpenTurn[] = []
  const add = (role: Turn['role'], blocks: readonly ContentBlock[]): void => {
    const last = turns.at(-1)
    if (last?.role === role) last.content.push(...blocks)
    else if (blocks.length > 0) turns.push({ role, content: [...blocks] })
  }
  for (const [index, value] of messages.entries()) {
    const message = objectOr(value)
    const path = `messages[${index}]`
    switch (message.role) {
      case 'system':
      case 'developer':
        system.push(...textBlocksOnly(message.content, `${path}.content`))
        break
      case 'user':
        add('user', contentBlocks(message.content, `${path}.content`))
        break
      case 'assistant':
        add('assistant', assistantBlocks(message, path))
        break
      case 'tool':
        add('user', [toolResult(message, path)])
        break
      default:
        throw unsupportedParameter(
          `${path}.role`,
          `This model does not accept messages of role '${textOr(message.role)}'.`,
        )
    }
  }
  return {
    ...(system.length === 0 ? {} : { system: plain(system) }),
    messages: withoutTrailingSpace(turns).map(({ role, content }) => ({ role, content: plain(content) })),
  }
}

function assistantBlocks(message: JsonObject, path: string): readonly ContentBlock[] {
  if (message.function_call)
    throw unsupportedParameter(`${path}.function_call`, 'Function calls are not supported. Use tool_calls.')
  return [
    ...thinkingBlocks(message),
    ...contentBlocks(message.content, `${path}.content`),
    ...contentBlocks(message.refusal, `${path}.refusal`),
    ...listOr(message.tool_calls).map((call, index) => toolUse(objectOr(call), `${path}.tool_calls[${index}]`)),
  ]
}

/** Thinking is sent back unchanged, because the model verifies its signature before it accepts a tool's result. */
const thinkingBlocks = (message: JsonObject): readonly ContentBlock[] =>
  listOr(message.thinking_blocks)
    .map(objectOr)
    .flatMap((block): readonly ContentBlock[] => {
      if (block.type === 'redacted_thinking') return [{ type: 'redacted_thinking', data: textOr(block.data) }]
      if (block.type !== 'thinking') return []
      return [{ type: 'thinking', thinking: textOr(block.thinking), signature: textOr(block.signature) }]
    })

function toolUse(call: JsonObject, path: string): ToolUseBlock {
  if (!isObject(call.function)) throw unsupportedParameter(path, 'Only tool calls of type function are supported.')
  const { name, arguments: given } = call.function
  const input = textOr(given).trim() === '' ? {} : parseJson(textOr(given))
  if (!isObject(input) || isTooDeep(input)) {
    throw invalidParameter(
      `${path}.function.arguments`,
      'The arguments must be the JSON text of an object that is not nested too deeply.',
    )
  }
  return { type: 'tool_use', id: textOr(call.id), name: textOr(name), input }
}

function toolResult(message: JsonObject, path: string): ToolResultBlock {
  const content =
    typeof message.content === 'string' ? message.content : contentBlocks(message.content, `${path}.content`)
  return {
    type: 'tool_result',
    tool_use_id: textOr(message.tool_call_id),
    ...(content.length === 0 ? {} : { content }),
    ...(message.is_error === true ? { is_error: true } : {}),
    ...cacheControl(message),
  }
}

/** The Messages API refuses a last assistant turn that ends in white space. */
function withoutTrailingSpace(turns: readonly OpenTurn[]): readonly OpenTurn[] {
  const last = turns.at(-1)
  const block = last?.content.at(-1)
  if (last?.role !== 'assistant' || block?.type !== 'text') return turns
  const text = block.text.trimEnd()
  const content = [...last.content.slice(0, -1), ...(text === '' ? [] : [{ ...block, text }])]
  return [...turns.slice(0, -1), ...(content.length === 0 ? [] : [{ role: last.role, content }])]
}

/** Converts a single text without `cache_control` to a string. */
function plain<Block extends ContentBlock>(blocks: readonly Block[]): string | readonly Block[] {
  const [only, ...more] = blocks
  return only?.type === 'text' && more.length === 0 && only.cache_control === undefined ? only.text : blocks
}
