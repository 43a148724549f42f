import { parseJson } from '../../../chat/parse-json.ts'
import type { ToolCallPart } from '../../conversation/conversation-parts.ts'
import type { JsonObject } from '../../dialect.ts'
import { objectOf, present, textOf } from '../../json-values.ts'

const noFunctions: ReadonlySet<string> = new Set()

/** @param customAsFunctions names of custom tools that were offered as functions */
export function readCall(item: JsonObject, customAsFunctions = noFunctions, at?: string): ToolCallPart {
  const name = textOf(item.name) ?? ''
  const isFunction = item.type === 'function_call'
  const replaced = isFunction && customAsFunctions.has(name)
  const input = textOf(isFunction ? item.arguments : item.input) ?? ''
  return present({
    type: 'tool-call',
    callId: textOf(item.call_id) ?? textOf(item.id) ?? '',
    kind: isFunction && !replaced ? 'function' : 'custom',
    name,
    namespace: textOf(item.namespace),
    input: replaced ? unwrap(input) : input,
    id: textOf(item.id),
    at,
  })
}

/** @param customTools whether the reader of the item has custom tools */
export function writeCall(call: ToolCallPart, id: string | undefined, customTools: boolean): JsonObject {
  const { callId, name, namespace, input } = call
  if (call.kind === 'custom' && customTools) {
    return present({ type: 'custom_tool_call', id, call_id: callId, name, namespace, input })
  }
  // Clients parse the arguments of a call without any, too.
  const text = call.kind === 'custom' ? JSON.stringify({ input }) : input || '{}'
  return present({ type: 'function_call', id, call_id: callId, name, namespace, arguments: text })
}

/** Returns the input of a custom tool from the arguments of the function in its place. */
const unwrap = (text: string): string => textOf(objectOf(parseJson(text))?.input) ?? text
