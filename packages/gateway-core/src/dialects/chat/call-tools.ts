import type { ToolCallPart } from '../conversation/conversation-parts.ts'
import type { AnswerContext } from '../translation.ts'
import { inputOfArguments } from './custom-input.ts'
import { toolNames } from './tool-names.ts'

/** The tool that an upstream calls, in the client's own words. */
export interface CalledTool extends Pick<ToolCallPart, 'name' | 'namespace' | 'kind'> {
  /** Whether the upstream writes the input as the arguments of a function. */
  readonly isFunction: boolean
}

/** Finds the client's tools by the names under which they were offered to the upstream. */
export function calledTools(context: AnswerContext): (name: string, kind: ToolCallPart['kind']) => CalledTool {
  const names = toolNames(context.request.tools)
  return (name, kind) => {
    const tool = names.toolOf(name)
    const isFunction =
      kind === 'function' &&
      tool?.kind === 'custom' &&
      (context.customAsFunctions.has(tool.name) || context.customAsFunctions.has(name))
    if (!tool) return { name, kind, isFunction }
    const { namespace } = tool
    return {
      name: tool.name,
      kind: isFunction ? 'custom' : kind,
      isFunction,
      ...(namespace === undefined ? {} : { namespace }),
    }
  }
}

/** Returns a call as the client knows its tool. */
export function asCalled(call: ToolCallPart, { isFunction, ...tool }: CalledTool): ToolCallPart {
  return { ...call, ...tool, input: isFunction ? inputOfArguments(call.input) : call.input }
}
