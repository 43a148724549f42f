import { unsupportedParameter } from '../../providers/refused-parameter.ts'
import type { ConversationTool, CustomTool, FunctionTool, WebSearchTool } from '../conversation/conversation-request.ts'
import { refuseChoiceWithoutTools } from '../conversation/required-tool.ts'
import type { JsonObject } from '../dialect.ts'
import { present } from '../json-values.ts'
import { customAsFunction } from './custom-input.ts'
import { clientName } from './omissions.ts'
import type { RequestScope } from './request-scope.ts'

/**
 * Writes the tools and their choice. Allowed tools are the only ones that are offered, because many upstreams do not know
 * `allowed_tools`. What only other dialects have is left out, unless the choice relies on it.
 */
export function writeTools(scope: RequestScope): JsonObject {
  const { request } = scope
  const { toolChoice: choice } = request
  const allowed = choice?.type === 'allowed' ? new Set(choice.names) : undefined
  const chosen = request.tools.filter((tool) => allowed === undefined || allowed.has(tool.name))
  const tools = chosen.flatMap((tool) => writeTool(tool, scope))
  const written = { ...webSearchOptions(chosen, scope), ...(tools.length > 0 ? { tools } : {}) }
  const toolChoice = writeChoice(scope, chosen, tools.length > 0)
  if (tools.length === 0) {
    refuseChoiceWithoutTools(request)
    return written
  }
  return { ...written, ...present({ tool_choice: toolChoice, parallel_tool_calls: request.parallelToolCalls }) }
}

function writeTool(tool: ConversationTool, scope: RequestScope): readonly JsonObject[] {
  switch (tool.type) {
    case 'function':
      return [{ type: 'function', function: functionOf(tool, scope), ...scope.mark(tool) }]
    case 'custom':
      return [{ ...customOf(tool, scope), ...scope.mark(tool) }]
    case 'web-search':
      if (!isOptions(tool, scope)) scope.omitted.add(tool.name)
      return []
    case 'hosted':
      if (tool.dialect === 'chat' || scope.request.dialect === 'chat') return [tool.value]
      scope.omitted.add(tool.name)
      return []
  }
}

const functionOf = (tool: FunctionTool, { names }: RequestScope): JsonObject => ({
  name: names.nameOf(tool),
  ...present({ description: tool.description, parameters: tool.parameters, strict: tool.strict }),
})

function customOf(tool: CustomTool, { names, options }: RequestScope): JsonObject {
  const name = names.nameOf(tool)
  if (!options.customTools) return { type: 'function', function: { name, ...customAsFunction(tool) } }
  const format = tool.grammar === undefined ? undefined : { type: 'grammar', grammar: tool.grammar }
  return { type: 'custom', custom: { name, ...present({ description: tool.description, format }) } }
}

/** A client of chat completions that sends `web_search_options` has chosen a model that has them. */
const isOptions = (tool: WebSearchTool, { request }: RequestScope): boolean =>
  request.dialect === 'chat' && tool.name === 'web_search_options'

function webSearchOptions(tools: readonly ConversationTool[], scope: RequestScope): JsonObject {
  const search = tools.find((tool) => tool.type === 'web-search' && isOptions(tool, scope))
  if (search?.type !== 'web-search') return {}
  const { type = 'approximate', ...approximate } = search.userLocation ?? {}
  return {
    web_search_options: present({
      search_context_size: search.contextSize,
      user_location: search.userLocation === undefined ? undefined : { type, approximate },
    }),
  }
}

function writeChoice(scope: RequestScope, tools: readonly ConversationTool[], anyTools: boolean): unknown {
  const { request, names } = scope
  const { toolChoice: choice } = request
  const at = clientName(request, 'toolChoice')
  switch (choice?.type) {
    case undefined:
      return undefined
    case 'none':
    case 'auto':
    case 'required':
      return choice.type
    case 'allowed':
      if (!anyTools) throw refusedChoice(at, 'None of the allowed tools is supported with this model.')
      return choice.required ? 'required' : 'auto'
    case 'hosted':
      if (choice.dialect === 'chat' && request.dialect === 'chat') return choice.value
      throw refusedChoice(at, `The tool '${choice.name}' is not supported with this model.`)
    case 'tool':
      return namedChoice(choice.name, at, tools, names.nameOf, scope.options.customTools)
  }
}

function namedChoice(
  chosen: string,
  at: string,
  tools: readonly ConversationTool[],
  nameOf: RequestScope['names']['nameOf'],
  customTools: boolean,
): JsonObject {
  const tool = tools.find(({ name }) => name === chosen)
  if (tool?.type === 'web-search' || tool?.type === 'hosted') {
    throw refusedChoice(at, `The tool '${chosen}' is not supported with this model.`)
  }
  const name = nameOf(tool ?? { name: chosen })
  return tool?.type === 'custom' && customTools
    ? { type: 'custom', custom: { name } }
    : { type: 'function', function: { name } }
}

const refusedChoice = (at: string, message: string) => unsupportedParameter(at, message)
