import { isObject } from '../../chat/is-object.ts'
import { parseJson } from '../../chat/parse-json.ts'
import type { OutputPart, ToolCallPart } from '../conversation/conversation-parts.ts'
import { textOr } from '../json-values.ts'
import type { AnswerContext } from '../translation.ts'
import { given } from './fields.ts'
import { ANSWER_TOOL, toolNames } from './tool-names.ts'

/** Converts calls of an upstream to those of the client's own tools. */
export interface ClientCalls {
  /** @returns the part, with the names of the client; a text where the call is the answer itself */
  partOf(part: ToolCallPart): OutputPart
  isCustom(name: string): boolean
  isAnswer(name: string): boolean
}

export function clientCalls({ request, customAsFunctions }: AnswerContext): ClientCalls {
  const names = toolNames(request)
  const isAnswer = (name: string): boolean => name === ANSWER_TOOL && request.format !== undefined
  const isCustom = (name: string): boolean => {
    const tool = names.toolOf(name)
    return tool?.kind === 'custom' || (tool === undefined && customAsFunctions.has(name))
  }
  return {
    isAnswer,
    isCustom,
    partOf: (part) => {
      if (isAnswer(part.name)) return { type: 'text', text: part.input }
      const tool = names.toolOf(part.name)
      return {
        ...part,
        name: tool?.name ?? part.name,
        ...given('namespace', tool?.namespace),
        ...(isCustom(part.name) ? { kind: 'custom', input: customInput(part.input) } : {}),
      }
    },
  }
}

/** Returns the input of a custom tool from the arguments of its function. */
function customInput(json: string): string {
  const input = parseJson(json)
  return isObject(input) && typeof input.input === 'string' ? textOr(input.input) : json
}
