import { isObject } from '../chat/is-object.ts'
import { parseJson } from '../chat/parse-json.ts'
import { type Member, topLevelMembers } from '../dialects/requests/top-level-members.ts'
import { readDetail } from '../usage/read-detail.ts'
import { isTokenCount } from '../usage/token-count.ts'
import type { PricedDetail } from '../usage/usage-detail.ts'
import { lastMembers } from './last-members.ts'

/** The tokens and images of an answer, as the upstream reports them. */
export interface EndpointUsage extends PricedDetail {
  readonly inputTokens: number
  readonly outputTokens: number
  /** Seconds of sound, where the upstream counts those and no tokens. */
  readonly audioSeconds?: number
  /** Search units of reranking. */
  readonly requests?: number
}

/** What an answer reports: tokens or seconds, search units, or both. */
export type ReportedUsage = EndpointUsage | Pick<EndpointUsage, 'requests'>

/** Answers up to this size are parsed. Larger ones, such as many embeddings, would hold the process. */
const MAX_PARSED_BYTES = 2 ** 20
/** The bytes at each end of a larger answer in which its usage is looked for. */
const EDGE_BYTES = 4096

const OPEN_BRACE = 0x7b

const decoder = new TextDecoder()

/** Returns the usage of a complete JSON answer; `undefined` where it has none, or a large one not near its ends. */
export function usageIn(bytes: Uint8Array): ReportedUsage | undefined {
  if (bytes.length <= MAX_PARSED_BYTES) return usageOfValue(parseJson(decoder.decode(bytes)))
  const tail = bytes.subarray(-EDGE_BYTES)
  const head = bytes.subarray(0, EDGE_BYTES)
  return (
    usageAmong(tail, lastMembers(tail)) ??
    (isObjectAt(head) ? usageAmong(head, topLevelMembers(head).members) : undefined)
  )
}

/** Only members of the answer itself count: what is nested may be a document of the client. */
function usageAmong(json: Uint8Array, members: readonly Member[]): ReportedUsage | undefined {
  const textOf = (start: number, end: number) => parseJson(decoder.decode(json.subarray(start, end)))
  const found = members.map(({ start, nameEnd, valueStart, end }) => {
    const name = textOf(start, nameEnd)
    return name === 'usage' || name === 'meta' ? usageOfValue({ [name]: textOf(valueStart, end) }) : undefined
  })
  return found.find((usage) => usage !== undefined)
}

const isObjectAt = (json: Uint8Array): boolean => json.find((byte) => byte > 0x20) === OPEN_BRACE

/** Reads the usage of an answer as OpenAI's endpoints and Jina's reranker report it, and `meta` as Cohere's does. */
export function usageOfValue(answer: unknown): ReportedUsage | undefined {
  if (!isObject(answer)) return undefined
  const meta = isObject(answer.meta) ? answer.meta : {}
  const { search_units: units } = isObject(meta.billed_units) ? meta.billed_units : {}
  const usage = tokensOf(answer.usage) ?? tokensOf(meta.tokens)
  return isTokenCount(units) ? { ...usage, requests: units } : usage
}

export function tokensOf(usage: unknown): EndpointUsage | undefined {
  if (!isObject(usage)) return undefined
  if (usage.type === 'duration' && isDuration(usage.seconds)) {
    return { inputTokens: 0, outputTokens: 0, audioSeconds: usage.seconds }
  }
  const input = firstCount(usage.prompt_tokens, usage.input_tokens)
  const output = firstCount(usage.completion_tokens, usage.output_tokens)
  const total = firstCount(usage.total_tokens)
  if (input === undefined && output === undefined) {
    return total === undefined ? undefined : { inputTokens: total, outputTokens: 0 }
  }
  return { inputTokens: input ?? 0, outputTokens: output ?? 0, ...readDetail(usage) }
}

const MAX_SECONDS = 1_000_000

const isDuration = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= MAX_SECONDS

const firstCount = (...values: readonly unknown[]): number | undefined => values.find(isTokenCount)
