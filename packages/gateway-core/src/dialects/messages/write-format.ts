import type { AnswerFormat } from '../conversation/conversation-request.ts'
import type { JsonObject } from '../dialect.ts'
import { enforceableSchema } from './answer-schema.ts'
import { hasNativeFormat } from './claude-version.ts'
import { ANSWER_TOOL } from './tool-names.ts'

export type WrittenFormat =
  | { readonly kind: 'text' }
  | { readonly kind: 'native'; readonly format: JsonObject }
  /** The model calls this tool with the answer as its input. */
  | { readonly kind: 'tool'; readonly tool: JsonObject }

/**
 * Writes the format of the answer: by the native field for a schema that Anthropic enforces, otherwise by a tool whose input
 * is the answer. A prefilled answer would do for free JSON, but newer models refuse it.
 */
export function writeFormat(format: AnswerFormat | undefined, model: string): WrittenFormat {
  if (!format) return { kind: 'text' }
  if (format.type === 'json') return { kind: 'tool', tool: answerTool({ type: 'object' }) }
  const schema = hasNativeFormat(model) ? enforceableSchema(format.schema) : undefined
  if (schema) return { kind: 'native', format: { type: 'json_schema', schema: described(schema, format.description) } }
  return { kind: 'tool', tool: answerTool(described({ type: 'object', ...format.schema }, format.description)) }
}

const described = (schema: JsonObject, description: string | undefined): JsonObject =>
  description === undefined || schema.description !== undefined ? schema : { ...schema, description }

const answerTool = (schema: JsonObject): JsonObject => ({
  name: ANSWER_TOOL,
  description: 'Gives the answer to the user. Its input is the whole answer, as JSON.',
  input_schema: schema,
})

/** For models that must not be forced to call a tool, as they think. */
export const answerInstruction: JsonObject = {
  type: 'text',
  text: `Give the final answer only by a call of the tool ${ANSWER_TOOL}, whose input is the answer as JSON.`,
}
