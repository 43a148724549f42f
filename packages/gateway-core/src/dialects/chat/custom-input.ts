import { isObject } from '../../chat/is-object.ts'
import { parseJson } from '../../chat/parse-json.ts'
import type { CustomTool } from '../conversation/conversation-request.ts'
import type { JsonObject } from '../dialect.ts'

/** Offers a custom tool as a function whose parameter `input` is its text. */
export const customAsFunction = ({ description, grammar }: CustomTool): JsonObject => ({
  description: [
    ...(description === undefined ? [] : [description]),
    ...(grammar === undefined
      ? []
      : [`The input must match this grammar in the syntax ${grammar.syntax}:\n${grammar.definition}`]),
  ].join('\n\n'),
  parameters: {
    type: 'object',
    properties: { input: { type: 'string', description: 'The whole input of the tool, as plain text.' } },
    required: ['input'],
    additionalProperties: false,
  },
})

export const argumentsOfInput = (input: string): string => JSON.stringify({ input })

/** Returns the input from the arguments of such a function. Arguments of another form are the input themselves. */
export function inputOfArguments(given: string): string {
  const value = parseJson(given)
  return isObject(value) && typeof value.input === 'string' ? value.input : given
}
