import { maskedError } from '../../providers/masked-error.ts'
import { ProviderFailure } from '../../providers/provider-error.ts'
import type { ConversationAnswer } from '../conversation/conversation-answer.ts'
import type { JsonObject } from '../dialect.ts'
import type { AnswerContext, DialectTranslation } from '../translation.ts'
import { translatable } from './translatable.ts'

export interface ReadWholeOptions {
  readonly from: DialectTranslation
  readonly context: AnswerContext
  /** The most characters of the answer. */
  readonly most: number
  /** Replaced by `***` in the answer's error. */
  readonly secrets: readonly string[]
}

/**
 * Reads a complete answer that is to be translated or made a stream.
 *
 * @throws ProviderFailure for one that is too large, is of another dialect, or is an error
 */
export function readWhole(value: JsonObject, { from, context, most, secrets }: ReadWholeOptions): ConversationAnswer {
  try {
    return from.readAnswer(translatable(value, most), context)
  } catch (thrown) {
    throw ProviderFailure.is(thrown) ? new ProviderFailure(maskedError(thrown.error, secrets)) : thrown
  }
}
