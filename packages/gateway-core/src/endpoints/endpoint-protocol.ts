import { arePlainChunks, readEvent } from '../chat/streams/read-event.ts'
import { type ChatStreamAccount, isUsageOnly } from '../chat/streams/stream-account.ts'
import { errorEvent } from '../chat/streams/stream-failures.ts'
import type { StreamProtocol } from '../dialects/streams/stream-protocol.ts'
import type { EndpointRequest } from './endpoint-calls.ts'
import { endpoints } from './endpoint-descriptions.ts'

/** The protocol of a relayed endpoint: chunks as those of chat completions, or events of which one is the last. */
export function endpointProtocol(
  { endpoint, stripUsage = false }: Pick<EndpointRequest, 'endpoint' | 'stripUsage'>,
  account: ChatStreamAccount,
): StreamProtocol {
  const { lastEvent } = endpoints[endpoint]
  const isLast = (text: string) => lastEvent?.test(text) === true
  return {
    account,
    keepAlive: ': keep-alive\n\n',
    end: lastEvent ? '' : 'data: [DONE]\n\n',
    arePlain: (text) => !isLast(text) && arePlainChunks(text),
    read(text, parseAll) {
      const last = isLast(text)
      const event = readEvent(text, parseAll || last)
      return last && event.type === 'chunk' ? { type: 'done', value: event.value } : event
    },
    hides: (value) => stripUsage && isUsageOnly(value),
    errorEvent,
  }
}
