import { ChatStreamAccount } from '../chat/streams/stream-account.ts'
import { totalTimeout } from '../chat/streams/stream-failures.ts'
import { type StreamEnding, StreamRelay } from '../chat/streams/stream-relay.ts'
import type { ModelCall } from '../models/model-call.ts'
import { CLIENT_DISCONNECTED, statusOf } from '../providers/error-status.ts'
import type { EndpointAnswer, EndpointProvider } from '../providers/provider.ts'
import type { RequestResult } from '../usage/request-accounts.ts'
import { ByteRelay } from './byte-relay.ts'
import type { EndpointReply, EndpointRequest } from './endpoint-calls.ts'
import { endpointProtocol } from './endpoint-protocol.ts'
import { tokensOf } from './endpoint-usage.ts'

export interface EndpointStreamParts {
  readonly idleSeconds: number
  readonly keepAliveSeconds: number
  readonly maxEventBytes: number
  /** Ends the upstream call. */
  readonly abort: () => void
}

type Reply<Kind extends EndpointReply['kind']> = Omit<Extract<EndpointReply, { readonly kind: Kind }>, 'provider'>

/** Opens an answer that is relayed as it arrives: as events with an error event at a failure, otherwise as bytes. */
export async function openEndpointStream(
  modelCall: ModelCall<EndpointProvider>,
  request: EndpointRequest,
  answer: EndpointAnswer,
  parts: EndpointStreamParts,
): Promise<Reply<'whole'> | Reply<'stream'>> {
  const { contentType, headers = {} } = answer
  if (answer.kind === 'whole') return { kind: 'whole', contentType, headers, bytes: answer.bytes }
  const relay = isEvents(contentType)
    ? eventRelay(modelCall, request, answer.secrets ?? [], parts)
    : byteRelay(modelCall, request, parts)
  await relay.open(answer.start)
  modelCall.begin((end) => (end === 'client-left' ? relay.disconnect() : relay.fail(totalTimeout())))
  return {
    kind: 'stream',
    contentType,
    headers,
    attach: (sink) => relay.attach(sink),
    cancel: () => relay.disconnect(),
  }
}

const isEvents = (contentType: string): boolean => /^text\/event-stream\b/i.test(contentType)

function eventRelay(
  modelCall: ModelCall<EndpointProvider>,
  request: EndpointRequest,
  secrets: readonly string[],
  { idleSeconds, keepAliveSeconds, maxEventBytes, abort }: EndpointStreamParts,
): StreamRelay {
  const account = new ChatStreamAccount(request.choices ?? 1)
  return new StreamRelay({
    protocol: endpointProtocol(request, account),
    keepAliveMs: keepAliveSeconds * 1000,
    idleTimeoutMs: idleSeconds * 1000,
    maxEventBytes,
    secrets,
    drains: undefined,
    abort,
    onSettled: (ending) => {
      const usage = tokensOf(account.usage)
      const pieces = request.endpoint === 'completions' ? account.pieces : 0
      const images = ending.type === 'complete' ? (request.images ?? 0) : 0
      settle(modelCall, ending, { ...(usage ?? { ...estimateOf(request), outputTokens: pieces }), images })
    },
  })
}

const byteRelay = (
  modelCall: ModelCall<EndpointProvider>,
  request: EndpointRequest,
  { idleSeconds, abort }: EndpointStreamParts,
): ByteRelay =>
  new ByteRelay({
    idleTimeoutMs: idleSeconds * 1000,
    abort,
    onSettled: (ending) => settle(modelCall, ending, estimateOf(request)),
  })

const estimateOf = ({ estimateInput }: EndpointRequest): Partial<RequestResult> => ({
  inputTokens: estimateInput?.() ?? 0,
  estimated: estimateInput !== undefined,
})

function settle(modelCall: ModelCall<EndpointProvider>, ending: StreamEnding, usage: Partial<RequestResult>): void {
  modelCall.settle({
    ...usage,
    status: statusOfEnding(ending),
    partial: ending.type !== 'complete',
    ...errorOf(ending),
  })
}

function statusOfEnding(ending: StreamEnding): number {
  if (ending.type === 'complete') return 200
  return ending.type === 'client-left' ? CLIENT_DISCONNECTED : statusOf(ending.error)
}

const errorOf = (ending: StreamEnding) => (ending.type === 'upstream-failed' ? { errorType: ending.error.type } : {})
