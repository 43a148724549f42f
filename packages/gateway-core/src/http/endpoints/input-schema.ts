import * as v from 'valibot'

/** The most inputs of a request for embeddings, and prompts of a completion. */
export const MAX_INPUTS = 2048

const isToken = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0

const isTokens = (value: readonly unknown[]): boolean => value.length > 0 && value.every(isToken)

const isInput = (value: unknown): boolean =>
  typeof value === 'string' || (Array.isArray(value) ? isTokens(value) : typeof value === 'object' && value !== null)

function isInputs(value: unknown): boolean {
  if (typeof value === 'string') return true
  if (!Array.isArray(value) || value.length === 0) return false
  return typeof value[0] === 'number' ? value.every(isToken) : value.length <= MAX_INPUTS && value.every(isInput)
}

/** A text, the tokens of one, or a list of either. Some upstreams take objects, such as images. */
export type Input = string | readonly number[] | readonly (string | readonly number[] | object)[]

/** Checked by a function, because a schema for each of 55,000 tokens would hold the process. */
export const inputSchema = v.custom<Input>(
  isInputs,
  `must be a string, an array of tokens, or an array of 1 to ${MAX_INPUTS} of either`,
)
