import { estimateTokens } from '../../chat/estimate-tokens.ts'
import type { JsonObject } from '../dialect.ts'

/** Estimates the input tokens of a request, before it is sent or where the upstream reports none. */
export const estimateMessagesInput = (body: JsonObject): number => estimateTokens(JSON.stringify(body))

/** Returns the most output tokens of the answer, where the request limits them. */
export const messagesOutputLimit = ({ max_tokens: limit }: JsonObject): number | undefined =>
  typeof limit === 'number' ? limit : undefined
