import { isObject } from '../../chat/is-object.ts'
import { isTooDeep } from '../../nesting.ts'
import { unsupportedParameter } from '../../providers/refused-parameter.ts'
import type { OutputPart, ToolCallPart } from '../conversation/conversation-parts.ts'
import type { ToolResult, Turn } from '../conversation/conversation-request.ts'
import { isLongId } from '../conversation/tool-bounds.ts'
import type { JsonObject } from '../dialect.ts'
import { listOr, objectOr, present, textIn, textOr } from '../json-values.ts'
import { withAnnotations } from './annotations.ts'
import { cacheMarkOf, withMark } from './cache-mark.ts'
import { readFunctionCall } from './legacy-functions.ts'
import { foreignPart, readInput, readPart, readReasoning, readText, readThinking } from './read-parts.ts'

/** Reads the messages of a chat request. */
export function readTurns(messages: readonly unknown[]): readonly Turn[] {
  const calls: EarlierCalls = { kinds: new Map(), function: undefined }
  return messages.map((value, index) => {
    const message = objectOr(value)
    const turn = readTurn(message, index, calls)
    if (turn.role !== 'assistant') return turn
    for (const part of turn.content) {
      if (part.type === 'tool-call' && !isLongId(part.callId)) calls.kinds.set(part.callId, part.kind)
    }
    const [call] = readFunctionCall(message.function_call, index)
    if (!call) return turn
    calls.function = call.callId
    return { ...turn, content: [...turn.content, call] }
  })
}

interface EarlierCalls {
  readonly kinds: Map<string, ToolCallPart['kind']>
  /** The id of the last `function_call`, whose result names none. */
  function: string | undefined
}

function readTurn(message: JsonObject, index: number, calls: EarlierCalls): Turn {
  const at = `messages[${index}]`
  const name = present({ name: textIn(message.name) })
  const { role } = message
  switch (role) {
    case 'system':
    case 'developer': {
      const content = withMark(readText(message.content, `${at}.content`), message)
      return { role: 'system', content, at, ...(role === 'developer' ? { developer: true } : {}) }
    }
    case 'user':
      return { role, content: withMark(readInput(message.content, `${at}.content`), message), at, ...name }
    case 'assistant':
      return {
        role,
        content: withMark(readAssistant(message, at), message),
        at,
        ...name,
        ...(message.prefix === true ? { prefix: true } : {}),
      }
    case 'tool':
      return readToolResult(message, at, calls.kinds)
    case 'function':
      if (calls.function === undefined) {
        throw unsupportedParameter(
          `${at}.role`,
          "A message of role 'function' must follow a message with function_call.",
        )
      }
      return readToolResult({ ...message, tool_call_id: calls.function }, at, calls.kinds)
    default:
      throw unsupportedParameter(
        `${at}.role`,
        `This model does not accept messages of role '${textOr(role).slice(0, 64)}'.`,
      )
  }
}

function readToolResult(message: JsonObject, at: string, kinds: ReadonlyMap<string, ToolCallPart['kind']>): ToolResult {
  const callId = textOr(message.tool_call_id)
  const content = readInput(message.content, `${at}.content`).map((part) => {
    if (part.type !== 'audio') return part
    throw unsupportedParameter(part.at ?? at, 'A result of a tool cannot have audio.')
  })
  const error = message.is_error === true ? { isError: true as const } : {}
  return { role: 'tool', callId, kind: kinds.get(callId) ?? 'function', content, ...error, ...cacheMarkOf(message), at }
}

function readAssistant(message: JsonObject, at: string): readonly OutputPart[] {
  const refusal = textIn(message.refusal)
  return [
    ...readReasoning(message, at),
    ...withAnnotations(readOutput(message.content, `${at}.content`), message.annotations),
    ...(refusal === undefined ? [] : [{ type: 'refusal' as const, text: refusal, at: `${at}.refusal` }]),
    ...(isObject(message.audio) ? [foreignPart({ type: 'audio', audio: message.audio }, `${at}.audio`)] : []),
    ...listOr(message.tool_calls).map((call, index) => readCall(objectOr(call), `${at}.tool_calls[${index}]`)),
  ]
}

/** Reads the content of an answer, which is a text or a list of parts. */
export function readOutput(content: unknown, at: string): readonly OutputPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content, at }]
  return listOr(content).flatMap((value, index): readonly OutputPart[] => {
    const part = objectOr(value)
    const place = `${at}[${index}]`
    if (part.type === 'refusal') return [{ type: 'refusal', text: textOr(part.refusal), at: place }]
    if (part.type === 'thinking') return [{ ...readThinking(part), at: place }]
    const read = readPart(part, place)
    return [read.type === 'text' || read.type === 'image' ? read : foreignPart(part, place)]
  })
}

/** Reads a call. Without a `type` it is a function. */
export function readCall(call: JsonObject, at?: string): ToolCallPart {
  const custom = call.type === 'custom' || (call.type === undefined && isObject(call.custom))
  const { name, arguments: given, input } = objectOr(custom ? call.custom : call.function)
  return {
    type: 'tool-call',
    callId: textOr(call.id),
    kind: custom ? 'custom' : 'function',
    name: textOr(name),
    input: custom ? textOr(input) : argumentsOf(given),
    ...cacheMarkOf(call),
    ...(at === undefined ? {} : { at }),
  }
}

/** Some upstreams send the arguments as an object. */
export const argumentsOf = (given: unknown): string =>
  isObject(given) && !isTooDeep(given) ? JSON.stringify(given) : textOr(given)
