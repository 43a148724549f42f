import { estimateJson, estimateTokens } from '../../chat/estimate-tokens.ts'
import type { Input } from './input-schema.ts'

/** Returns the number of texts in an input. */
export const inputsOf = (input: Input): number =>
  typeof input === 'string' || typeof input[0] === 'number' ? 1 : input.length

/** Estimates the tokens of an input. Tokens are counted. */
export function estimateInputs(input: unknown): number {
  if (typeof input === 'string') return estimateTokens(input)
  if (!Array.isArray(input)) return input === undefined || input === null ? 0 : estimateJson(input)
  if (typeof input[0] === 'number') return input.length
  return input.reduce((sum: number, one: unknown) => sum + estimateInputs(one), 0)
}
