import type { ConversationEvent } from '../../conversation/conversation-answer.ts'
import type { OutputPart } from '../../conversation/conversation-parts.ts'

/** An addition to a part. */
export type Addition = Extract<ConversationEvent, { readonly type: 'text' | 'summary' | 'annotation' }>

/** Writes the events of one part of an answer. */
export interface PartWriter {
  add(addition: Addition): void
  /**
   * @param part the complete part; absent where the stream ends without it
   * @param cut whether the answer ends here before the model has finished, which matters for calls
   */
  end(part: OutputPart | undefined, cut?: boolean): void
}
