import type { DialectAnswer } from '../../providers/provider.ts'
import { type Answering, type AnsweringParts, createAnswering } from '../answering/answering.ts'
import { responsesFront } from './responses-front.ts'

/**
 * Answers requests in the form of OpenAI's responses with the providers of their model. Nothing is stored: the items of
 * `previous_response_id` and `conversation` must be in `input`.
 */
export type Responses = Answering<DialectAnswer>

/** Creates the service of responses. */
export const createResponses = (parts: AnsweringParts): Responses => createAnswering(responsesFront, parts)
