import * as v from 'valibot'
import { wholeWithin, within } from '../bounds.ts'

/** The most messages of a request. */
export const MAX_MESSAGES = 10_000

/** Answers to one request. */
export const choicesSchema = wholeWithin(1, 128)

/** The most output tokens of an answer. */
export const outputTokensSchema = wholeWithin(1, Number.MAX_SAFE_INTEGER)

/** The numbers that the gateway passes to upstreams without using them itself. */
export const numberSchemas = {
  temperature: within(0, 2),
  top_p: within(0, 1),
  presence_penalty: within(-2, 2),
  frequency_penalty: within(-2, 2),
  top_logprobs: wholeWithin(0, 20),
  seed: v.pipe(v.number(), v.integer('must be a whole number')),
}
