import type { JsonObject } from '../dialect.ts'
import { estimateMessagesInput } from './estimate-input.ts'

/** Counts the input tokens of a request without its upstream: an estimate. */
export const countTokens = async (body: JsonObject): Promise<number> => estimateMessagesInput(body)
