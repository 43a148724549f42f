import type {
  ConversationRequest,
  ConversationTool,
  ConversationToolChoice,
} from '../conversation/conversation-request.ts'
import type { JsonObject } from '../dialect.ts'
import { numberIn, objectOr, textIn, textOr } from '../json-values.ts'
import { given, textsIn } from './fields.ts'
import { cacheMark } from './read-parts.ts'

export function readTool(tool: JsonObject, at: string): ConversationTool {
  const type = textIn(tool.type) ?? 'custom'
  if (type === 'custom') {
    return {
      type: 'function',
      name: textOr(tool.name),
      ...given('description', textIn(tool.description)),
      parameters: objectOr(tool.input_schema),
      ...(typeof tool.strict === 'boolean' ? { strict: tool.strict } : {}),
      ...cacheMark(tool),
      at,
    }
  }
  if (!type.startsWith('web_search_')) return { type: 'hosted', name: type, dialect: 'messages', value: tool, at }
  const location = objectOr(tool.user_location)
  return {
    type: 'web-search',
    name: type,
    ...given('maxUses', numberIn(tool.max_uses)),
    ...given('allowedDomains', textsIn(tool.allowed_domains)),
    ...given('blockedDomains', textsIn(tool.blocked_domains)),
    ...(Object.keys(location).length > 0 ? { userLocation: location } : {}),
    at,
  }
}

/** Reads `tool_choice`, which may name a tool of Anthropic. */
export function readToolChoice(
  choice: unknown,
  tools: readonly ConversationTool[],
): Pick<ConversationRequest, 'toolChoice' | 'parallelToolCalls'> {
  const value = objectOr(choice)
  const toolChoice = choiceFrom(value, tools)
  return {
    ...given('toolChoice', toolChoice),
    ...(typeof value.disable_parallel_tool_use === 'boolean'
      ? { parallelToolCalls: !value.disable_parallel_tool_use }
      : {}),
  }
}

function choiceFrom(value: JsonObject, tools: readonly ConversationTool[]): ConversationToolChoice | undefined {
  switch (value.type) {
    case undefined:
      return undefined
    case 'auto':
    case 'none':
      return { type: value.type }
    case 'any':
      return { type: 'required' }
    case 'tool': {
      const name = textOr(value.name)
      const isOffered = tools.some((tool) => tool.type === 'function' && tool.name === name)
      if (isOffered || tools.every(({ type }) => type === 'function')) return { type: 'tool', name, kind: 'function' }
      return { type: 'hosted', name, dialect: 'messages', value }
    }
    default:
      return { type: 'hosted', name: textOr(value.type), dialect: 'messages', value }
  }
}
