import { isObject } from '../../../chat/is-object.ts'
import { invalidParameter } from '../../../providers/refused-parameter.ts'
import type {
  ConversationTool,
  ConversationToolChoice,
  CustomTool,
  FunctionTool,
  WebSearchTool,
} from '../../conversation/conversation-request.ts'
import type { JsonObject } from '../../dialect.ts'
import { booleanOf, listOr, numberIn, objectOf, objectsOf, present, textOf, textsOf } from '../../json-values.ts'

/** Reads `tools` and the tools that items of `input` add. Those of a namespace are flattened. */
export function readTools({ tools, input, max_tool_calls: mostCalls }: JsonObject): readonly ConversationTool[] {
  const offered = readList(tools, 'tools')
  const added = listOr(input).flatMap((item, index) =>
    isObject(item) && item.type === 'additional_tools' ? readList(item.tools, `input[${index}].tools`) : [],
  )
  const all = [...offered, ...added]
  const maxUses = numberIn(mostCalls)
  if (maxUses === undefined || !isSearchLimit(all)) return all
  return all.map((tool) => (tool.type === 'web-search' ? { ...tool, maxUses } : tool))
}

/** Returns whether `max_tool_calls` limits nothing but web search. */
export const isSearchLimit = (tools: readonly ConversationTool[]): boolean =>
  tools.every(({ type }) => type !== 'hosted') && tools.filter(({ type }) => type === 'web-search').length <= 1

const readList = (tools: unknown, at: string): readonly ConversationTool[] =>
  listOr(tools).flatMap((tool, index) => readTool(tool, `${at}[${index}]`))

const SEARCH = /^web_search(?:_preview)?(?:_\d{4}_\d{2}_\d{2})?$/

/** Whether a tool is web search in any version. */
export const isSearchType = (type: string): boolean => SEARCH.test(type)

function readTool(tool: unknown, at: string, namespace?: string): readonly ConversationTool[] {
  if (!isObject(tool)) throw invalidParameter(at, `'${at}' must be an object.`)
  const type = textOf(tool.type)
  if (type === undefined) throw invalidParameter(`${at}.type`, `'${at}' must have a type.`)
  if (type === 'function') return [readFunction(tool, at, namespace)]
  if (type === 'custom') return [readCustom(tool, at, namespace)]
  if (type === 'namespace' && namespace === undefined) {
    const name = nameOf(tool, at)
    return listOr(tool.tools).flatMap((one, index) => readTool(one, `${at}.tools[${index}]`, name))
  }
  if (isSearchType(type)) return [readSearch(tool, type, at)]
  return [{ type: 'hosted', name: type.slice(0, 64), dialect: 'responses', value: tool, at }]
}

function nameOf({ name }: JsonObject, at: string): string {
  if (typeof name !== 'string' || name === '') throw invalidParameter(`${at}.name`, `'${at}' must have a name.`)
  return name
}

const readFunction = (tool: JsonObject, at: string, namespace: string | undefined): FunctionTool =>
  present({
    type: 'function',
    name: nameOf(tool, at),
    description: textOf(tool.description),
    parameters: objectOf(tool.parameters),
    strict: booleanOf(tool.strict),
    namespace,
    at,
  })

function readCustom(tool: JsonObject, at: string, namespace: string | undefined): CustomTool {
  const format = objectOf(tool.format)
  const syntax = textOf(format?.syntax)
  const definition = textOf(format?.definition)
  return present({
    type: 'custom',
    name: nameOf(tool, at),
    description: textOf(tool.description),
    grammar: syntax === undefined || definition === undefined ? undefined : { syntax, definition },
    namespace,
    at,
  })
}

function readSearch(tool: JsonObject, name: string, at: string): WebSearchTool {
  const filters = objectOf(tool.filters)
  const allowed = textsOf(filters?.allowed_domains)
  const blocked = textsOf(filters?.blocked_domains)
  return present({
    type: 'web-search',
    name,
    allowedDomains: allowed.length > 0 ? allowed : undefined,
    blockedDomains: blocked.length > 0 ? blocked : undefined,
    userLocation: objectOf(tool.user_location),
    contextSize: textOf(tool.search_context_size),
    at,
  })
}

/** @throws ProviderFailure for a value of another form */
export function readToolChoice(value: unknown): ConversationToolChoice | undefined {
  if (value === undefined || value === null) return undefined
  if (value === 'none' || value === 'auto' || value === 'required') return { type: value }
  const choice = objectOf(value)
  const type = textOf(choice?.type)
  if (!choice || type === undefined) throw invalidParameter('tool_choice', 'The value of tool_choice is unknown.')
  const name = textOf(choice.name)
  if ((type === 'function' || type === 'custom') && name !== undefined) return { type: 'tool', name, kind: type }
  if (type !== 'allowed_tools') return { type: 'hosted', name: type.slice(0, 64), dialect: 'responses', value }
  const names = objectsOf(choice.tools).flatMap((tool) => textOf(tool.name) ?? textOf(tool.type) ?? [])
  return { type: 'allowed', required: choice.mode === 'required', names }
}
