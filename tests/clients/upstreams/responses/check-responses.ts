import { unsupportedByOpenAi } from '../chat/check-chat.ts'
import { checkStrictSchema } from '../check-request.ts'
import { Refusal } from '../upstream.ts'
import type { ResponsesRequest } from './responses-schema.ts'

/** Refuses what OpenAI refuses beyond the shape of a request. @throws Refusal */
export function checkResponses({ input, text, tools = [], previous_response_id }: ResponsesRequest): void {
  const format = text?.format
  if (format?.type === 'json_schema' && format.strict === true) {
    checkStrictSchema(format.schema, 'text.format.schema', unsupportedByOpenAi)
  }
  for (const tool of tools) {
    if (tool.type === 'function' && 'strict' in tool && tool.strict !== false && tool.strict != null) {
      checkStrictSchema(tool.parameters, `tools.${tool.name}`, unsupportedByOpenAi)
    }
  }
  if (typeof input !== 'string' && input !== undefined && previous_response_id == null) checkPairs(input)
}

type Items = Exclude<NonNullable<ResponsesRequest['input']>, string>

function checkPairs(items: Items): void {
  const calls = new Set<string>()
  const answered = new Set<string>()
  for (const item of items) {
    if (item.type === 'function_call' || item.type === 'custom_tool_call') calls.add(item.call_id)
    if (item.type !== 'function_call_output' && item.type !== 'custom_tool_call_output') continue
    if (!calls.has(item.call_id)) {
      throw new Refusal(`No tool call found for function call output with call_id ${item.call_id}.`)
    }
    answered.add(item.call_id)
  }
  const [open] = [...calls].filter((id) => !answered.has(id))
  if (open !== undefined) throw new Refusal(`No tool output found for function call ${open}.`)
}
