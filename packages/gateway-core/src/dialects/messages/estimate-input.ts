import type { JsonObject } from '../dialect.ts'
import { countIn } from '../json-values.ts'
import { promptTexts } from './prompt-texts.ts'

/** The approximate ratio of common tokenizers for English. */
const CHARACTERS_PER_TOKEN = 4
export const TOKENS_PER_MESSAGE = 4
/** The approximate tokens of an image at a medium resolution, or of a page. */
export const TOKENS_PER_ATTACHMENT = 800

/** Estimates the input tokens of a request of messages, before it is sent or where the provider reports none. */
export function estimateMessagesInput(body: JsonObject): number {
  const { texts, messages, attachments } = promptTexts(body)
  const characters = texts.reduce((sum, text) => sum + text.length, 0)
  return (
    Math.ceil(characters / CHARACTERS_PER_TOKEN) + messages * TOKENS_PER_MESSAGE + attachments * TOKENS_PER_ATTACHMENT
  )
}

/** Returns the most output tokens that a request of messages allows. `undefined` where it has no limit. */
export const messagesOutputLimit = ({ max_tokens }: JsonObject): number | undefined => countIn(max_tokens)
