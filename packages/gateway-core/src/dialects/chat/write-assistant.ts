import { unsupportedParameter } from '../../providers/refused-parameter.ts'
import type { OutputPart, ReasoningPart, ToolCallPart } from '../conversation/conversation-parts.ts'
import type { Turn } from '../conversation/conversation-request.ts'
import { reasoningName } from '../conversation/reasoning-name.ts'
import type { Dialect, JsonObject } from '../dialect.ts'
import { objectOr, present } from '../json-values.ts'
import { writeAnnotation } from './annotations.ts'
import { argumentsOfInput } from './custom-input.ts'
import { reasoningFields } from './reasoning-fields.ts'
import type { RequestScope } from './request-scope.ts'
import { plain } from './write-parts.ts'

export type AssistantTurn = Extract<Turn, { role: 'assistant' }>

/** What the dialects call the searches of earlier answers. */
const searchNames: Readonly<Record<Dialect, string>> = {
  chat: 'web_search',
  responses: 'web_search_call',
  messages: 'server_tool_use',
}

/**
 * Writes an earlier answer. Its plain reasoning is `reasoning_content`, the field of the upstreams that reason in plain
 * text and continue it after the results of tools. Signed and encrypted reasoning is of other upstreams and is left out, as
 * are searches, unless the client itself speaks chat completions. An answer with nothing else is left out.
 */
export function writeAssistant(turn: AssistantTurn, scope: RequestScope): readonly JsonObject[] {
  const reasoning = turn.content.filter((part) => part.type === 'reasoning')
  const content = turn.content.flatMap((part) => writeContent(part, part.at ?? turn.at, scope))
  const calls = turn.content.filter((part) => part.type === 'tool-call')
  const audio = turn.content.find((part) => part.type === 'foreign' && part.name === 'audio')
  const carried = carriedReasoning(reasoning, scope)
  const fields = {
    ...reasoningFields(carried),
    ...annotationsOf(turn, scope),
    ...(audio?.type === 'foreign' && audio.dialect === 'chat' ? { audio: objectOr(audio.value).audio } : {}),
    ...(calls.length > 0 ? { tool_calls: calls.map((call) => writeCall(call, scope)) } : {}),
  }
  if (content.length === 0 && Object.keys(fields).length === 0) return []
  const text = content.length === 0 && calls.length > 0 ? null : plain(content)
  return [{ role: 'assistant', content: text, ...fields, ...present({ name: turn.name, prefix: turn.prefix }) }]
}

function carriedReasoning(
  parts: readonly ReasoningPart[],
  { request, omitted }: RequestScope,
): readonly ReasoningPart[] {
  if (request.dialect === 'chat') return parts
  return parts.filter((part) => {
    const { signature, encrypted, redacted, text, summary } = part
    const isPlain = signature === undefined && encrypted === undefined && redacted === undefined
    const isCarried = isPlain && (text !== '' || summary.length > 0)
    if (!isCarried) omitted.add(reasoningName(request.dialect, part))
    return isCarried
  })
}

function writeContent(part: OutputPart, at: string, scope: RequestScope): readonly JsonObject[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: part.text, ...scope.mark(part) }]
    case 'refusal':
      return [{ type: 'refusal', refusal: part.text }]
    case 'image':
      throw unsupportedParameter(at, 'This model does not accept images in an earlier answer.')
    case 'search-call':
      scope.omitted.add(searchNames[scope.request.dialect])
      return []
    case 'foreign':
      if (part.dialect !== 'chat') {
        throw unsupportedParameter(at, `This model does not accept content of type '${part.name}'.`)
      }
      return part.name === 'audio' ? [] : [objectOr(part.value)]
    case 'reasoning':
    case 'tool-call':
      return []
  }
}

/** Sources of earlier answers have no effect on the next one, and many upstreams refuse them. */
function annotationsOf(turn: AssistantTurn, { request, omitted }: RequestScope): JsonObject {
  const cited = turn.content.filter((part) => part.type === 'text' && part.annotations !== undefined)
  if (cited.length === 0) return {}
  if (request.dialect !== 'chat') {
    omitted.add(request.dialect === 'messages' ? 'citations' : 'annotations')
    return {}
  }
  const [text] = cited
  if (text?.type !== 'text') return {}
  return { annotations: (text.annotations ?? []).map((one) => writeAnnotation(one, 0, text.text.length)) }
}

function writeCall(call: ToolCallPart, scope: RequestScope): JsonObject {
  const name = scope.names.nameOf(call)
  const head = { id: call.callId, ...scope.mark(call) }
  if (call.kind === 'function') {
    return { ...head, type: 'function', function: { name, arguments: call.input === '' ? '{}' : call.input } }
  }
  if (scope.options.customTools) return { ...head, type: 'custom', custom: { name, input: call.input } }
  return { ...head, type: 'function', function: { name, arguments: argumentsOfInput(call.input) } }
}
