import type { ByteReceiver, ByteSource } from '../../providers/provider.ts'
import type { ConversationEvent } from '../conversation/conversation-answer.ts'
import { PIECE } from '../requests/text-pieces.ts'
import type { EventWriter } from '../translation.ts'

const encoder = new TextEncoder()

/** Makes the source of a stream from the steps of a complete answer. Large ones are written in turns of the event loop. */
export const writtenStart =
  (events: readonly ConversationEvent[], writer: EventWriter, end: string) =>
  (receiver: ByteReceiver): ByteSource => {
    const steps = events.values()
    let isPaused = false
    let isCancelled = false
    const write = () => {
      if (isCancelled) return
      let output = ''
      for (let step = steps.next(); ; step = steps.next()) {
        if (step.done) {
          receiver.data(encoder.encode(output.endsWith(end) ? output : output + end))
          receiver.end()
          return
        }
        output += writer.write(step.value)
        if (output.length >= PIECE) break
      }
      if (receiver.data(encoder.encode(output))) setTimeout(write)
      else isPaused = true
    }
    write()
    return {
      resume: () => {
        if (!isPaused) return
        isPaused = false
        setTimeout(write)
      },
      cancel: () => {
        isCancelled = true
      },
    }
  }
