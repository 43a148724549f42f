import { unsupportedParameter } from '../../../providers/refused-parameter.ts'
import type {
  ConversationRequest,
  ConversationTool,
  ConversationToolChoice,
  CustomTool,
  FunctionTool,
  WebSearchTool,
} from '../../conversation/conversation-request.ts'
import type { JsonObject } from '../../dialect.ts'
import { present } from '../../json-values.ts'
import { type Omissions, omitCacheMark } from './omissions.ts'

/** Writes the tools that responses have. Others are merely offered, so they are left out. */
export function writeTools(
  { tools }: ConversationRequest,
  customTools: boolean,
  omitted: Omissions,
): readonly JsonObject[] {
  const written: JsonObject[] = []
  const namespaces = new Map<string, JsonObject[]>()
  for (const tool of tools) {
    if (tool.type === 'hosted' && tool.dialect !== 'responses') omitted.add(tool.name)
    else listFor(tool, written, namespaces).push(writeTool(tool, customTools, omitted))
  }
  return written
}

function listFor(tool: ConversationTool, written: JsonObject[], namespaces: Map<string, JsonObject[]>): JsonObject[] {
  const name = 'namespace' in tool ? tool.namespace : undefined
  if (name === undefined) return written
  const known = namespaces.get(name)
  if (known) return known
  const tools: JsonObject[] = []
  namespaces.set(name, tools)
  written.push({ type: 'namespace', name, description: name, tools })
  return tools
}

function writeTool(tool: ConversationTool, customTools: boolean, omitted: Omissions): JsonObject {
  switch (tool.type) {
    case 'function':
      omitCacheMark(tool, omitted)
      return writeFunction(tool)
    case 'custom':
      omitCacheMark(tool, omitted)
      return customTools ? writeCustom(tool) : writeFunction(asFunction(tool))
    case 'web-search':
      return writeSearch(tool)
    case 'hosted':
      return tool.value
  }
}

const noParameters = { type: 'object', properties: {} }

// An absent `strict` means true in responses, unlike in the other dialects.
const writeFunction = ({ name, description, parameters = noParameters, strict = false }: FunctionTool): JsonObject =>
  present({ type: 'function', name, description, parameters, strict })

const writeCustom = ({ name, description, grammar }: CustomTool): JsonObject =>
  present({
    type: 'custom',
    name,
    description,
    format: grammar && { type: 'grammar', syntax: grammar.syntax, definition: grammar.definition },
  })

const inputParameters = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
  additionalProperties: false,
}

function asFunction({ name, description, grammar, at }: CustomTool): FunctionTool {
  const rule = grammar && `The input follows this ${grammar.syntax} grammar:\n${grammar.definition}`
  const text = [description, rule].filter((part) => part !== undefined).join('\n\n')
  return { type: 'function', name, description: text, parameters: inputParameters, at }
}

function writeSearch(tool: WebSearchTool): JsonObject {
  if (tool.blockedDomains) {
    throw unsupportedParameter(`${tool.at}.blocked_domains`, 'Blocked domains are not supported with this model.')
  }
  return present({
    type: nameOfSearch(tool),
    filters: tool.allowedDomains && { allowed_domains: tool.allowedDomains },
    search_context_size: tool.contextSize,
    user_location: tool.userLocation,
  })
}

/** Names of other dialects, such as `web_search_20250305`, have no underscores within the date. */
const nameOfSearch = ({ name }: WebSearchTool): string =>
  /^web_search_preview(?:_\d{4}_\d{2}_\d{2})?$|^web_search_\d{4}_\d{2}_\d{2}$/.test(name) ? name : 'web_search'

/** @throws ProviderFailure for a choice of a tool that is left out */
export function writeToolChoice({ toolChoice: choice, tools, names }: ConversationRequest, customTools: boolean) {
  switch (choice?.type) {
    case undefined:
    case 'none':
    case 'auto':
    case 'required':
      return choice?.type
    case 'tool':
      return reference(choice.name, choice.kind, byName(tools), customTools) ?? refuse(names, choice)
    case 'allowed': {
      const named = byName(tools)
      return {
        type: 'allowed_tools',
        mode: choice.required ? 'required' : 'auto',
        tools: choice.names.map((name) => reference(name, undefined, named, customTools) ?? refuse(names, choice)),
      }
    }
    case 'hosted':
      return choice.dialect === 'responses' ? choice.value : (searchChoice(choice.name, tools) ?? refuse(names, choice))
  }
}

/** Another dialect's choice of its web search, such as Anthropic's `web_search`. */
function searchChoice(name: string, tools: readonly ConversationTool[]): JsonObject | undefined {
  const search = tools.find((tool): tool is WebSearchTool => tool.type === 'web-search')
  return search && name.startsWith('web_search') ? { type: nameOfSearch(search) } : undefined
}

/** Returns the first tool with each name. */
const byName = (tools: readonly ConversationTool[]): ReadonlyMap<string, ConversationTool> =>
  new Map(tools.toReversed().map((tool) => [tool.name, tool]))

/** Names an offered tool in a choice. Returns `undefined` for one that is left out. */
function reference(
  name: string,
  kind: 'function' | 'custom' | undefined,
  tools: ReadonlyMap<string, ConversationTool>,
  customTools: boolean,
): JsonObject | undefined {
  const tool = tools.get(name)
  if (tool?.type === 'hosted') return tool.dialect === 'responses' ? { type: name } : undefined
  if (tool?.type === 'web-search') return { type: nameOfSearch(tool) }
  const type = (tool?.type ?? kind) === 'custom' && customTools ? 'custom' : 'function'
  return { type, name }
}

function refuse(names: ConversationRequest['names'], choice: ConversationToolChoice): never {
  const name = 'name' in choice ? choice.name : 'A tool of it'
  throw unsupportedParameter(
    names.toolChoice ?? 'tool_choice',
    `'${name.slice(0, 64)}' is not supported with this model.`,
  )
}
