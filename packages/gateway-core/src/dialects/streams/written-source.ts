import type { ByteReceiver, ByteSource } from '../../providers/provider.ts'
import type { ConversationEvent } from '../conversation/conversation-answer.ts'
import type { EventWriter } from '../translation.ts'

const encoder = new TextEncoder()

/** Makes the source of a stream from the steps of a complete answer. */
export const writtenStart =
  (events: readonly ConversationEvent[], writer: EventWriter, end: string) =>
  (receiver: ByteReceiver): ByteSource => {
    let output = ''
    for (const event of events) output += writer.write(event)
    receiver.data(encoder.encode(output.endsWith(end) ? output : output + end))
    receiver.end()
    return { resume: () => undefined, cancel: () => undefined }
  }
