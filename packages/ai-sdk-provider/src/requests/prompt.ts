import { CallArguments, invalidParameter, unsupportedParameter } from '@trivium/gateway-core/ports'
import { isObject, type JsonObject, listOr, objectOr, textOr } from '@trivium/provider-kit/answers'
import { filePart } from './file-part.ts'
import type { FilePart, PromptMessage, TextPart, ToolCallPart, ToolOutput } from './prompt-message.ts'

/** Converts the messages of a chat request. Successive results of tools become one message. */
export function prompt(messages: readonly unknown[]): PromptMessage[] {
  const toolNames = new Map<string, string>()
  const callArguments = new CallArguments()
  const prompt: PromptMessage[] = []
  for (const [index, value] of messages.entries()) {
    const message = objectOr(value)
    const path = `messages[${index}]`
    switch (message.role) {
      case 'system':
      case 'developer':
        prompt.push({ role: 'system', content: textOnly(message.content, path) })
        break
      case 'user':
        prompt.push({ role: 'user', content: parts(message.content, `${path}.content`) })
        break
      case 'assistant': {
        const calls = toolCalls(message, path, callArguments)
        for (const { toolCallId, toolName } of calls) toolNames.set(toolCallId, toolName)
        const said = [...parts(message.content, `${path}.content`), ...parts(message.refusal, `${path}.refusal`)]
        prompt.push({ role: 'assistant', content: [...said, ...calls] })
        break
      }
      case 'tool':
        addToolResult(prompt, message, toolNames, path)
        break
      default:
        throw unsupportedParameter(
          `${path}.role`,
          `This model does not accept messages of role '${textOr(message.role)}'.`,
        )
    }
  }
  return prompt
}

function textOnly(content: unknown, path: string): string {
  return parts(content, `${path}.content`)
    .map((part, index) => {
      if (part.type === 'text') return part.text
      throw unsupportedParameter(`${path}.content[${index}]`, 'Only text is supported in this message.')
    })
    .join('\n')
}

function parts(content: unknown, path: string): (TextPart | FilePart)[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return listOr(content).map((value, index) => {
    const part = objectOr(value)
    if (part.type === 'text') return { type: 'text', text: textOr(part.text) }
    if (part.type === 'refusal') return { type: 'text', text: textOr(part.refusal) }
    return filePart(part, `${path}[${index}]`)
  })
}

function toolCalls(message: JsonObject, path: string, callArguments: CallArguments): readonly ToolCallPart[] {
  if (message.function_call)
    throw unsupportedParameter(`${path}.function_call`, 'Function calls are not supported. Use tool_calls.')
  return listOr(message.tool_calls).map((value, index) => {
    const call = objectOr(value)
    const place = `${path}.tool_calls[${index}]`
    if (!isObject(call.function)) throw unsupportedParameter(place, 'Only tool calls of type function are supported.')
    const { name, arguments: given } = call.function
    const input = callArguments.parse(textOr(given))
    if (input.isErr()) throw invalidParameter(`${place}.function.arguments`, input.error)
    return { type: 'tool-call', toolCallId: textOr(call.id), toolName: textOr(name), input: input.value }
  })
}

function addToolResult(
  prompt: PromptMessage[],
  message: JsonObject,
  toolNames: ReadonlyMap<string, string>,
  path: string,
): void {
  const toolCallId = textOr(message.tool_call_id)
  const toolName = toolNames.get(toolCallId)
  if (toolName === undefined)
    throw invalidParameter(`${path}.tool_call_id`, 'No earlier message has a tool call with this id.')
  const result = { type: 'tool-result' as const, toolCallId, toolName, output: toolOutput(message.content, path) }
  const last = prompt.at(-1)
  if (last?.role === 'tool') last.content.push(result)
  else prompt.push({ role: 'tool', content: [result] })
}

function toolOutput(content: unknown, path: string): ToolOutput {
  const value = parts(content, `${path}.content`)
  const texts = value.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  if (texts.length === value.length) return { type: 'text', value: texts.join('\n') }
  return { type: 'content', value }
}
