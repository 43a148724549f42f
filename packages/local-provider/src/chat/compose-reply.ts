import { type ChatCompletionRequest, type FinishReason, isObject, type ToolCall } from '@trivium/gateway-core/ports'
import { lastUserText } from './conversation.ts'
import type { LocalChatModel, LocalReply, LocalToolCall } from './local-chat-model.ts'
import { sampleObject, sampleOf } from './schema-sample.ts'
import { countTokens, tokensOf } from './tokens.ts'

/** One answer, with the tools, format, stop sequences and length of the request applied. */
export interface ComposedReply {
  readonly tokens: readonly string[]
  readonly toolCalls: readonly ToolCall[]
  readonly finishReason: FinishReason
  readonly tokenCount: number
}

export function composeReply(model: LocalChatModel, request: ChatCompletionRequest, choice: number): ComposedReply {
  const reply = forcedCalls(request) ?? model.reply(request, choice)
  if (reply.type === 'text') return composeText(formatted(reply.text, request), request)
  const toolCalls = reply.calls.map((call, index) => toToolCall(call, `call_${choice}_${index}`))
  return {
    tokens: [],
    toolCalls,
    finishReason: 'tool_calls',
    tokenCount: countTokens(JSON.stringify(reply.calls)),
  }
}

/** The most characters of an answer, because a constant of a schema can be as long as a request. */
const MAX_CHARACTERS = 16_384

function composeText(text: string, { stop, max_tokens, max_completion_tokens }: ChatCompletionRequest): ComposedReply {
  const stops = typeof stop === 'string' ? [stop] : (stop ?? [])
  const cut = Math.min(...stops.map((sequence) => text.indexOf(sequence)).filter((place) => place >= 0), text.length)
  const tokens = tokensOf(text.slice(0, Math.min(cut, MAX_CHARACTERS)))
  const limit = max_completion_tokens ?? max_tokens ?? Number.POSITIVE_INFINITY
  const kept = tokens.slice(0, limit)
  return {
    tokens: kept,
    toolCalls: [],
    finishReason: kept.length < tokens.length || cut > MAX_CHARACTERS ? 'length' : 'stop',
    tokenCount: kept.length,
  }
}

/** For `required` and a named function, each model calls the function with arguments that match its schema. */
function forcedCalls(request: ChatCompletionRequest): LocalReply | undefined {
  const { tools, tool_choice: choice } = request
  for (const tool of tools ?? []) {
    const name = functionName(tool)
    if (tool.type !== 'function' || name === undefined || !isForced(name, choice)) continue
    const { parameters } = isObject(tool.function) ? tool.function : {}
    const call = { name, arguments: sampleObject(parameters, lastUserText(request)) }
    return { type: 'tool-calls', calls: [call] }
  }
  return undefined
}

function isForced(name: string, choice: ChatCompletionRequest['tool_choice']): boolean {
  if (choice === 'required' || choice === 'any') return true
  if (!choice || typeof choice === 'string') return false
  if (choice.type === 'function') return functionName(choice) === name
  const { mode, tools } = 'allowed_tools' in choice && isObject(choice.allowed_tools) ? choice.allowed_tools : {}
  return mode === 'required' && Array.isArray(tools) && tools.some((tool) => functionName(tool) === name)
}

function functionName(tool: unknown): string | undefined {
  const { name } = isObject(tool) && isObject(tool.function) ? tool.function : {}
  return typeof name === 'string' ? name : undefined
}

function formatted(text: string, { response_format: format }: ChatCompletionRequest): string {
  if (format?.type === 'json_object') return JSON.stringify({ text })
  if (format?.type === 'json_schema') {
    const { schema } = isObject(format.json_schema) ? format.json_schema : {}
    return JSON.stringify(sampleOf(schema, text))
  }
  return text
}

const toToolCall = (call: LocalToolCall, id: string): ToolCall => ({
  id,
  type: 'function',
  function: { name: call.name, arguments: JSON.stringify(call.arguments) },
})
