import type { DialectAnswer } from '../../providers/provider.ts'
import { type Answering, type AnsweringParts, createAnswering } from '../answering/answering.ts'
import { type InputCounter, inputCounter } from '../answering/input-counter.ts'
import { countTokens } from './count-tokens.ts'
import { messagesFront } from './messages-front.ts'

/** Answers requests in the form of Anthropic's messages with the providers of their model. */
export interface Messages extends Answering<DialectAnswer> {
  /** The count is `{ "input_tokens": 12 }`. */
  readonly countTokens: InputCounter
}

/** Creates the service of messages. */
export const createMessages = (parts: AnsweringParts): Messages => ({
  ...createAnswering(messagesFront, parts),
  countTokens: inputCounter(parts, {
    dialect: 'messages',
    estimate: countTokens,
    written: (inputTokens) => ({ input_tokens: inputTokens }),
  }),
})
