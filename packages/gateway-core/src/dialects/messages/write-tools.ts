import { unsupportedParameter } from '../../providers/refused-parameter.ts'
import type {
  ConversationRequest,
  ConversationTool,
  CustomTool,
  FunctionTool,
  WebSearchTool,
} from '../conversation/conversation-request.ts'
import { refuseChoiceWithoutTools } from '../conversation/required-tool.ts'
import type { JsonObject } from '../dialect.ts'
import { objectOr, textIn } from '../json-values.ts'
import { enforceableSchema } from './answer-schema.ts'
import { given } from './fields.ts'
import type { BlockContext } from './write-blocks.ts'

export interface WrittenTools {
  readonly tools: readonly JsonObject[]
  readonly choice?: JsonObject
}

/** Writes the tools that may be used, and the choice among them. */
export function writeTools(context: BlockContext): WrittenTools {
  const { toolChoice, tools } = context.request
  const names = toolChoice?.type === 'allowed' ? new Set(toolChoice.names) : undefined
  const allowed = names ? tools.filter((tool) => names.has(tool.name)) : tools
  const written = allowed.flatMap((tool) => writeTool(tool, context))
  const choice = choiceOf(context)
  if (written.length === 0) refuseChoiceWithoutTools(context.request)
  return { tools: written, ...given('choice', choice) }
}

function writeTool(tool: ConversationTool, context: BlockContext): readonly JsonObject[] {
  switch (tool.type) {
    case 'function':
      return [functionOf(tool, context)]
    case 'custom':
      return [customOf(tool, context)]
    case 'web-search':
      return [searchOf(tool, context)]
    case 'hosted':
      if (tool.dialect === 'messages') return [tool.value]
      context.omitted.add(tool.name)
      return []
  }
}

function functionOf(tool: FunctionTool, { names, omitted }: BlockContext): JsonObject {
  const schema = { type: 'object', ...(tool.parameters ?? { properties: {} }) }
  const strict = tool.strict === true ? enforceableSchema(schema) : undefined
  if (tool.strict === true && !strict) omitted.add('strict')
  return {
    name: names.nameOf(tool),
    ...given('description', textIn(tool.description)),
    input_schema: strict ?? schema,
    ...(strict ? { strict: true } : {}),
    ...given('cache_control', tool.cacheControl),
  }
}

function customOf(tool: CustomTool, { names }: BlockContext): JsonObject {
  const { grammar } = tool
  const words = [
    ...(tool.description ? [tool.description] : []),
    ...(grammar ? [`The input follows this ${grammar.syntax} grammar:\n${grammar.definition}`] : []),
  ]
  return {
    name: names.nameOf(tool),
    ...given('description', textIn(words.join('\n\n'))),
    input_schema: {
      type: 'object',
      properties: { input: { type: 'string', description: 'The input of the tool, as plain text.' } },
      required: ['input'],
      additionalProperties: false,
    },
    ...given('cache_control', tool.cacheControl),
  }
}

function searchOf(tool: WebSearchTool, { omitted }: BlockContext): JsonObject {
  if (tool.contextSize !== undefined && tool.contextSize !== 'medium') omitted.add('search_context_size')
  if (tool.allowedDomains && tool.blockedDomains) omitted.add('blocked_domains')
  const location = objectOr(tool.userLocation)
  const place = { ...objectOr(location.approximate), ...location }
  const known = ['city', 'country', 'region', 'timezone'].flatMap((name) => {
    const value = textIn(place[name])
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    type: /^web_search_2\d{7}$/.test(tool.name) ? tool.name : 'web_search_20250305',
    name: 'web_search',
    ...given('max_uses', tool.maxUses),
    ...given('allowed_domains', tool.allowedDomains),
    ...(tool.allowedDomains === undefined ? given('blocked_domains', tool.blockedDomains) : {}),
    ...(known.length > 0 ? { user_location: { type: 'approximate', ...Object.fromEntries(known) } } : {}),
  }
}

function choiceOf({ request, names }: BlockContext): JsonObject | undefined {
  const choice = chosen(request, names)
  if (request.parallelToolCalls === undefined || choice?.type === 'none') return choice
  if (request.parallelToolCalls) return choice
  return { ...(choice ?? { type: 'auto' }), disable_parallel_tool_use: true }
}

function chosen(request: ConversationRequest, names: BlockContext['names']): JsonObject | undefined {
  const { toolChoice: choice, tools } = request
  switch (choice?.type) {
    case undefined:
      return undefined
    case 'none':
    case 'auto':
      return { type: choice.type }
    case 'required':
      return { type: 'any' }
    case 'allowed':
      return { type: choice.required ? 'any' : 'auto' }
    case 'tool': {
      const tool = tools.find(({ type, name }) => type === choice.kind && name === choice.name)
      return { type: 'tool', name: names.nameOf(tool && 'namespace' in tool ? tool : { name: choice.name }) }
    }
    case 'hosted':
      if (choice.dialect === 'messages') return objectOr(choice.value)
      if (choice.name.startsWith('web_search') && tools.some(({ type }) => type === 'web-search')) {
        return { type: 'tool', name: 'web_search' }
      }
      throw unsupportedParameter(request.names.toolChoice ?? 'tool_choice', 'This model does not have the chosen tool.')
  }
}
