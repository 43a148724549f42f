import { isObject } from '../../chat/is-object.ts'
import type { ToolCallPart } from '../conversation/conversation-parts.ts'
import type { ConversationToolChoice, FunctionTool } from '../conversation/conversation-request.ts'
import type { JsonObject } from '../dialect.ts'
import { listOr, objectOr, present, textIn, textOr } from '../json-values.ts'

/** Whether a client has the older form of tools, in which an answer has at most one call, without an id. */
export const usesFunctions = ({ functions, tools }: JsonObject): boolean =>
  listOr(functions).length > 0 && listOr(tools).length === 0

export function readFunctions(functions: unknown): readonly FunctionTool[] {
  return listOr(functions).map((value, index) => {
    const { name, description, parameters } = objectOr(value)
    return {
      type: 'function',
      name: textOr(name),
      ...present({
        description: textIn(description),
        parameters: isObject(parameters) ? parameters : undefined,
      }),
      at: `functions[${index}]`,
    }
  })
}

/** Reads `function_call` of a request. */
export function readFunctionChoice(value: unknown): ConversationToolChoice | undefined {
  if (value === 'none' || value === 'auto') return { type: value }
  const name = textIn(objectOr(value).name)
  return name === undefined ? undefined : { type: 'tool', kind: 'function', name }
}

/** Reads `function_call` of a message. @param place the position of the message, which names the call */
export function readFunctionCall(value: unknown, place: number): readonly ToolCallPart[] {
  if (!isObject(value)) return []
  const input = textOr(value.arguments)
  const at = `messages[${place}].function_call`
  return [{ type: 'tool-call', callId: `call_${place}`, kind: 'function', name: textOr(value.name), input, at }]
}

/** Writes a call without its id. */
export const writeFunctionCall = (name: string, input: string): JsonObject => ({ name, arguments: input })
