import type { EventWriter } from '../translation.ts'
import type { StreamProtocol } from './stream-protocol.ts'

/** The protocol of a stream that a writer writes, which knows more of it than its account. */
export const writtenProtocol = (protocol: StreamProtocol, writer: EventWriter): StreamProtocol => ({
  ...protocol,
  // A writer that has written its end has none, even where that could not be sent.
  errorEvent: (error) => writer.failed?.(error) || protocol.errorEvent(error),
})
