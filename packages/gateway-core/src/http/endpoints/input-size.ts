import { estimateJson, estimateTokens } from '../../chat/estimate-tokens.ts'
import { isObject } from '../../chat/is-object.ts'
import { jsonLength } from '../../dialects/requests/json-length.ts'
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

/** More sound than a character takes, in tokens: a digit that is spoken slowly. */
const SOUND_TOKENS_PER_CHARACTER = 10

/** Returns tokens that the sound of a text does not exceed. */
export const soundTokensOf = (input: string, speed: number): number =>
  Math.ceil((input.length * SOUND_TOKENS_PER_CHARACTER) / Math.min(1, speed))

/** Cohere counts a search unit for 100 documents, and one of more than 500 tokens with the query as several. */
const DOCUMENTS_PER_UNIT = 100
/** Of the 500, as little as a long query leaves. A token has at least a byte, a character at most 3. */
const CHARACTERS_PER_CHUNK = 80

/** Returns search units that reranking does not exceed. */
export function searchUnitsOf(documents: readonly unknown[]): number {
  const chunks = documents.reduce<number>((sum, one) => sum + 1 + Math.floor(lengthOf(one) / CHARACTERS_PER_CHUNK), 0)
  return Math.ceil(chunks / DOCUMENTS_PER_UNIT)
}

const lengthOf = (document: unknown): number => (typeof document === 'string' ? document.length : jsonLength(document))

/** Members of inputs with images, sound or documents, which the gateway does not hold. */
const media: ReadonlySet<string> = new Set(
  'image image_url images inputs audio audio_url video video_url document_url file file_id content'.split(' '),
)

/** Returns the field of a request with something else than texts. `undefined` without one. */
export function mediaField(body: Readonly<Record<string, unknown>>, inputs: readonly string[]): string | undefined {
  const field = Object.keys(body).find((name) => media.has(name))
  return field ?? inputs.find((name) => [body[name]].flat().some(hasMedia))
}

const hasMedia = (input: unknown): boolean => isObject(input) && Object.keys(input).some((name) => media.has(name))
