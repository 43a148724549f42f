import type { DialectAnswer } from '../../providers/provider.ts'
import { type Answering, type AnsweringParts, createAnswering } from '../answering/answering.ts'
import { type InputCounter, inputCounter } from '../answering/input-counter.ts'
import { countPrompt } from '../messages/count-tokens.ts'
import { type Compaction, createCompaction } from './compaction.ts'
import { responsePromptTexts } from './prompt-texts.ts'
import { responsesFront } from './responses-front.ts'

/**
 * Answers requests in the form of OpenAI's responses with the providers of their model. Nothing is stored: the items of
 * `previous_response_id` and `conversation` must be in `input`.
 */
export interface Responses extends Answering<DialectAnswer> {
  /** The count is `{ "object": "response.input_tokens", "input_tokens": 12 }`. */
  readonly countTokens: InputCounter
  readonly compact: Compaction
}

/** Creates the service of responses. */
export const createResponses = (parts: AnsweringParts): Responses => ({
  ...createAnswering(responsesFront, parts),
  countTokens: inputCounter(parts, {
    dialect: 'responses',
    estimate: (body) => countPrompt(responsePromptTexts(body)),
    written: (inputTokens) => ({ object: 'response.input_tokens', input_tokens: inputTokens }),
  }),
  compact: createCompaction(parts),
})
