import type { StreamProtocol } from '../../dialects/streams/stream-protocol.ts'
import { arePlainChunks, readEvent } from './read-event.ts'
import { ChatStreamAccount, isUsageOnly } from './stream-account.ts'
import { errorEvent } from './stream-failures.ts'

export interface ChatProtocolOptions {
  /** The number of answers (`n`) that must finish. */
  readonly choices: number
  /** Removes the chunk that `include_usage` adds, because the client did not request it. */
  readonly stripUsage: boolean
}

/** The protocol of streamed chat completions. */
export const chatProtocol = ({
  choices,
  stripUsage,
}: ChatProtocolOptions): StreamProtocol & { readonly account: ChatStreamAccount } => ({
  account: new ChatStreamAccount(choices),
  keepAlive: ': keep-alive\n\n',
  end: 'data: [DONE]\n\n',
  arePlain: arePlainChunks,
  read: readEvent,
  hides: (value) => stripUsage && isUsageOnly(value),
  errorEvent,
})
