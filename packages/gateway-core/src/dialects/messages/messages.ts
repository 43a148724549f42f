import type { DialectAnswer } from '../../providers/provider.ts'
import { type Answering, type AnsweringParts, createAnswering } from '../answering/answering.ts'
import { messagesFront } from './messages-front.ts'

/** Answers requests in the form of Anthropic's messages with the providers of their model. */
export type Messages = Answering<DialectAnswer>

/** Creates the service of messages. */
export const createMessages = (parts: AnsweringParts): Messages => createAnswering(messagesFront, parts)
