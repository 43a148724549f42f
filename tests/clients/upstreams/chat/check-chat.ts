import { checkStrictSchema } from '../check-request.ts'
import { Refusal } from '../upstream.ts'
import type { ChatRequest } from './chat-schema.ts'

/** Keywords that OpenAI's strict schemas refuse. */
export const unsupportedByOpenAi: ReadonlySet<string> = new Set([
  ...['allOf', 'not', 'dependentRequired', 'dependentSchemas', 'if', 'then', 'else', 'patternProperties'],
  ...['propertyNames', 'default', 'uniqueItems'],
])

/** Refuses what OpenAI refuses beyond the shape of a request. @throws Refusal */
export function checkChat({ model, messages, tools, tool_choice, response_format, ...request }: ChatRequest): void {
  if (/^(?:gpt-5|o\d)/.test(model) && request.max_tokens !== undefined) {
    throw new Refusal(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      400,
      true,
    )
  }
  if (request.stream_options && request.stream !== true) {
    throw new Refusal("The 'stream_options' parameter is only allowed when 'stream' is enabled.")
  }
  if ((tool_choice !== undefined || request.parallel_tool_calls !== undefined) && tools === undefined) {
    throw new Refusal("'tool_choice' is only allowed when 'tools' are specified.")
  }
  if (response_format?.type === 'json_schema' && response_format.json_schema.strict === true) {
    checkStrictSchema(response_format.json_schema.schema, 'response_format.schema', unsupportedByOpenAi)
  }
  for (const tool of tools ?? []) {
    if (tool.type !== 'function' || tool.function.strict !== true) continue
    checkStrictSchema(tool.function.parameters, `tools.${tool.function.name}`, unsupportedByOpenAi)
  }
  checkOrder(messages)
}

/** Each call is answered by a tool's message before anything else follows. */
function checkOrder(messages: ChatRequest['messages']): void {
  let pending = new Set<string>()
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (!pending.delete(message.tool_call_id)) {
        throw new Refusal(
          `messages.[${index}]: role 'tool' must be a response to a preceeding message with 'tool_calls'.`,
        )
      }
      continue
    }
    if (pending.size > 0) {
      throw new Refusal(`messages.[${index}]: 'tool_calls' must be followed by tool messages: ${[...pending].join()}`)
    }
    if (message.role !== 'assistant') continue
    if (message.content == null && message.tool_calls === undefined && message.refusal == null) {
      throw new Refusal(`messages.[${index}].content: expected a string, got null`)
    }
    pending = new Set(message.tool_calls?.map(({ id }) => id))
  }
  if (pending.size > 0) throw new Refusal(`'tool_calls' must be followed by tool messages: ${[...pending].join()}`)
}
