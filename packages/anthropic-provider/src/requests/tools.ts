import { unsupportedParameter } from '@trivium/gateway-core/ports'
import { isObject, type JsonObject, listOr, objectOr, textOr } from '@trivium/provider-kit/answers'
import type { MessagesRequest, Tool, ToolChoice } from '../messages-api.ts'
import { cacheControl } from './content-blocks.ts'

export function tools(request: JsonObject): Pick<MessagesRequest, 'tools' | 'tool_choice'> {
  const offered = listOr(request.tools).map((value, index) => tool(objectOr(value), `tools[${index}]`))
  const { choice, names } = toolChoice(request.tool_choice)
  const chosen = names ? offered.filter(({ name }) => names.has(name)) : offered
  if (chosen.length === 0) return {}
  const limited = request.parallel_tool_calls === false ? withoutParallelUse(choice ?? { type: 'auto' }) : choice
  return { tools: chosen, ...(limited ? { tool_choice: limited } : {}) }
}

function tool(value: JsonObject, path: string): Tool {
  if (isObject(value.custom)) throw unsupportedParameter(path, 'Custom tools are not supported. Use a function.')
  if (value.type !== 'function') return { ...value, name: textOr(value.name) }
  const { name, description, parameters, strict } = objectOr(value.function)
  return {
    name: textOr(name),
    ...(typeof description === 'string' ? { description } : {}),
    input_schema: parameters ?? { type: 'object', properties: {} },
    ...(strict === true ? { strict } : {}),
    ...cacheControl(value),
  }
}

interface Choice {
  readonly choice?: ToolChoice
  /** Only these tools may be used. */
  readonly names?: ReadonlySet<string>
}

function toolChoice(value: unknown): Choice {
  if (value === 'none') return { choice: { type: 'none' } }
  if (value === 'auto') return { choice: { type: 'auto' } }
  if (value === 'required') return { choice: { type: 'any' } }
  if (!isObject(value)) return {}
  if (value.type === 'function') return { choice: { type: 'tool', name: textOr(objectOr(value.function).name) } }
  if (value.type === 'allowed_tools') {
    const { mode, tools: allowed } = objectOr(value.allowed_tools)
    return {
      ...toolChoice(mode),
      names: new Set(listOr(allowed).map((entry) => textOr(objectOr(objectOr(entry).function).name))),
    }
  }
  throw unsupportedParameter('tool_choice', 'This choice of tools is not supported.')
}

const withoutParallelUse = (choice: ToolChoice): ToolChoice =>
  choice.type === 'none' ? choice : { ...choice, disable_parallel_tool_use: true }
