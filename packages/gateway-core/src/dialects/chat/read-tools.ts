import { isObject } from '../../chat/is-object.ts'
import type {
  ConversationTool,
  ConversationToolChoice,
  CustomTool,
  HostedTool,
  WebSearchTool,
} from '../conversation/conversation-request.ts'
import type { Dialect, JsonObject } from '../dialect.ts'
import { countIn, listOr, objectOr, present, textIn, textOr } from '../json-values.ts'
import { cacheMarkOf } from './cache-mark.ts'
import { readFunctions } from './legacy-functions.ts'

/** Reads the tools and functions of a chat request, and its `web_search_options`. */
export function readTools(body: JsonObject): readonly ConversationTool[] {
  const current = listOr(body.tools).map((value, index) => readTool(objectOr(value), `tools[${index}]`))
  const tools = [...current, ...readFunctions(body.functions)]
  if (!isObject(body.web_search_options)) return tools
  return [...tools, webSearch(body.web_search_options, 'web_search_options', 'web_search_options')]
}

function readTool(tool: JsonObject, at: string): ConversationTool {
  const type = textOr(tool.type, 'function')
  if (type === 'function') {
    const { name, description, parameters, strict } = objectOr(tool.function)
    return {
      type,
      name: textOr(name),
      ...present({
        description: textIn(description),
        parameters: isObject(parameters) ? parameters : undefined,
        strict: typeof strict === 'boolean' ? strict : undefined,
      }),
      ...cacheMarkOf(tool),
      at,
    }
  }
  if (type === 'custom') return readCustom(tool, at)
  if (isWebSearch(type)) return webSearch({ ...objectOr(tool.parameters), ...tool }, type, at)
  return { type: 'hosted', name: type, dialect: dialectOf(type), value: tool, at }
}

function readCustom(tool: JsonObject, at: string): CustomTool | HostedTool {
  const { name, description, format } = objectOr(tool.custom)
  const { type, grammar } = objectOr(format)
  const { syntax, definition } = objectOr(grammar)
  return {
    type: 'custom',
    name: textOr(name),
    ...present({ description: textIn(description) }),
    ...(type === 'grammar' ? { grammar: { syntax: textOr(syntax), definition: textOr(definition) } } : {}),
    ...cacheMarkOf(tool),
    at,
  }
}

export const isWebSearch = (type: string): boolean =>
  /^(?:openrouter:web_search|web_search(?:_preview)?(?:_[\d_]{8,10})?)$/.test(type)

/** The tools that upstreams of responses execute. */
const responsesTools: ReadonlySet<string> = new Set(
  'file_search code_interpreter image_generation mcp computer_use_preview computer local_shell shell apply_patch'.split(
    ' ',
  ),
)

/** Anthropic dates the types of its tools, such as `bash_20250124`. */
function dialectOf(type: string): Dialect {
  if (/_\d{8}$/.test(type) || type === 'mcp_toolset') return 'messages'
  return responsesTools.has(type) ? 'responses' : 'chat'
}

function webSearch(options: JsonObject, name: string, at: string): WebSearchTool {
  const filters = objectOr(options.filters)
  return {
    type: 'web-search',
    name,
    ...present({
      maxUses: countIn(options.max_uses),
      allowedDomains: domains(options.allowed_domains) ?? domains(filters.allowed_domains),
      blockedDomains: domains(options.blocked_domains) ?? domains(options.excluded_domains),
      userLocation: location(options.user_location),
      contextSize: textIn(options.search_context_size),
    }),
    at,
  }
}

function domains(value: unknown): readonly string[] | undefined {
  const texts = listOr(value).filter((domain) => typeof domain === 'string')
  return texts.length > 0 ? texts : undefined
}

/** Chat has the location in a member `approximate`, the other dialects have not. */
function location(value: unknown): JsonObject | undefined {
  if (!isObject(value)) return undefined
  const { approximate, ...rest } = value
  return isObject(approximate) ? { ...rest, ...approximate } : rest
}

/** Reads the choice of a tool: OpenAI's, and Anthropic's objects `{ type: 'any' }` and `{ type: 'tool', name }`. */
export function readToolChoice(value: unknown): ConversationToolChoice | undefined {
  const type = textOr(isObject(value) ? value.type : value)
  if (type === 'none' || type === 'auto' || type === 'required') return { type }
  if (type === 'any') return { type: 'required' }
  if (!isObject(value)) return type === '' ? undefined : { type: 'hosted', name: type, dialect: 'chat', value }
  switch (type) {
    case 'function':
      return { type: 'tool', kind: 'function', name: textOr(objectOr(value.function).name) }
    case 'tool':
      return { type: 'tool', kind: 'function', name: textOr(value.name) }
    case 'custom':
      return { type: 'tool', kind: 'custom', name: textOr(objectOr(value.custom).name) }
    case 'allowed_tools':
      return allowedTools(value)
    default:
      return { type: 'hosted', name: type, dialect: 'chat', value }
  }
}

function allowedTools(value: JsonObject): ConversationToolChoice {
  const { mode, tools } = objectOr(value.allowed_tools)
  const names = listOr(tools).map((entry) => {
    const { type, function: named, custom, name } = objectOr(entry)
    return textIn(objectOr(type === 'custom' ? custom : named).name) ?? textOr(name, textOr(type))
  })
  return { type: 'allowed', required: mode === 'required' || mode === 'any', names }
}
