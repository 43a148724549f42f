import { estimateJson, estimateTokens, TOKENS_PER_ATTACHMENT, TOKENS_PER_MESSAGE } from '../../chat/estimate-tokens.ts'
import { isObject } from '../../chat/is-object.ts'
import type { JsonObject } from '../dialect.ts'

/** Members of items that are not read by the model, or only as a whole. */
const unread: ReadonlySet<string> = new Set(['type', 'id', 'call_id', 'status', 'role', 'detail', 'filename'])

/** Members with the bytes or the address of an attachment. */
const attachments: ReadonlySet<string> = new Set(['image_url', 'file_data', 'file_url', 'file_id', 'data', 'result'])

/** Estimates the input tokens of a request for responses, before it is sent or where the upstream reports none. */
export function estimateResponsesInput({ instructions, input, tools }: JsonObject): number {
  const toolTokens = Array.isArray(tools) ? estimateJson(tools) : 0
  return toolTokens + estimateItems(instructions) + estimateItems(input)
}

function estimateItems(items: unknown): number {
  if (!Array.isArray(items)) return typeof items === 'string' ? TOKENS_PER_MESSAGE + estimateTokens(items) : 0
  return items.reduce<number>((sum, item) => sum + TOKENS_PER_MESSAGE + estimateValue(item), 0)
}

/** Recurses as deep as the value, which its check has bounded. */
function estimateValue(value: unknown): number {
  if (typeof value === 'string') return estimateTokens(value)
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + estimateValue(one), 0)
  if (!isObject(value)) return 0
  return Object.entries(value).reduce((sum, [name, one]) => sum + estimateMember(name, one), 0)
}

function estimateMember(name: string, value: unknown): number {
  if (unread.has(name)) return 0
  return attachments.has(name) && typeof value === 'string' ? TOKENS_PER_ATTACHMENT : estimateValue(value)
}

/** Returns the most output tokens that a request allows. `undefined` where it sets no maximum. */
export function responsesOutputLimit({ max_output_tokens: limit }: JsonObject): number | undefined {
  return typeof limit === 'number' && Number.isSafeInteger(limit) && limit > 0 ? limit : undefined
}
