import type { Drains } from '../chat/streams/drains.ts'
import { ChatStreamAccount } from '../chat/streams/stream-account.ts'
import { totalTimeout } from '../chat/streams/stream-failures.ts'
import { isCut, type StreamEnding, StreamRelay } from '../chat/streams/stream-relay.ts'
import type { ModelCall } from '../models/model-call.ts'
import { CLIENT_DISCONNECTED, statusOf } from '../providers/error-status.ts'
import type { EndpointAnswer, EndpointProvider } from '../providers/provider.ts'
import type { RequestResult } from '../usage/request-accounts.ts'
import { ByteRelay } from './byte-relay.ts'
import type { EndpointReply, EndpointRequest } from './endpoint-calls.ts'
import { endpointProtocol } from './endpoint-protocol.ts'
import { tokensOf } from './endpoint-usage.ts'

export interface EndpointStreamParts {
  readonly keepAliveSeconds: number
  readonly maxEventBytes: number
  /** For callers with a limit of money. */
  readonly drains: Drains
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

export const isEvents = (contentType: string): boolean => /^text\/event-stream\b/i.test(contentType)

function eventRelay(
  modelCall: ModelCall<EndpointProvider>,
  request: EndpointRequest,
  secrets: readonly string[],
  { keepAliveSeconds, maxEventBytes, drains, abort }: EndpointStreamParts,
): StreamRelay {
  const account = new ChatStreamAccount(request.choices ?? 1)
  return new StreamRelay({
    protocol: endpointProtocol(request, account),
    keepAliveMs: keepAliveSeconds * 1000,
    idleTimeoutMs: modelCall.idleMs,
    maxEventBytes,
    secrets,
    drains: modelCall.isPaid ? drains : undefined,
    abort,
    onSettled: (ending) => {
      const usage = tokensOf(account.usage)
      const pieces = request.endpoint === 'completions' ? account.pieces : 0
      const images = ending.type === 'complete' ? (request.images ?? 0) : 0
      const used = usage ?? { ...estimateOf(request), ...(pieces > 0 && { outputTokens: pieces }) }
      const result = { ...used, images, ...formOf(request) }
      // Some upstreams report a total so far with each event.
      settle(modelCall, ending, result, usage !== undefined && account.isComplete)
    },
  })
}

const byteRelay = (
  modelCall: ModelCall<EndpointProvider>,
  request: EndpointRequest,
  { abort }: EndpointStreamParts,
): ByteRelay =>
  new ByteRelay({
    idleTimeoutMs: modelCall.idleMs,
    abort,
    onSettled: (ending) => settle(modelCall, ending, estimateOf(request)),
  })

/** Returns the usage of an answer whose upstream reports none. Its sound counts as it was reserved. */
export const estimateOf = (request: EndpointRequest): Partial<RequestResult> => ({
  inputTokens: request.estimateInput?.() ?? 0,
  outputTokens: request.soundTokens ?? 0,
  estimated: request.estimateInput !== undefined,
  ...formOf(request),
})

/** Returns what a price depends on and a usage does not report. */
export const formOf = ({ characters = 0, imageForm }: EndpointRequest): Partial<RequestResult> => ({
  characters,
  ...(imageForm && { imageForm }),
})

function settle(
  modelCall: ModelCall<EndpointProvider>,
  ending: StreamEnding,
  usage: Partial<RequestResult>,
  isFinal = false,
): void {
  const result = { ...usage, status: statusOfEnding(ending), partial: ending.type !== 'complete', ...errorOf(ending) }
  modelCall.settle(result, isCut(ending) && !isFinal)
}

function statusOfEnding(ending: StreamEnding): number {
  if (ending.type === 'complete') return 200
  return ending.type === 'client-left' ? CLIENT_DISCONNECTED : statusOf(ending.error)
}

const errorOf = (ending: StreamEnding) =>
  ending.type === 'upstream-failed' ? { errorType: ending.error.type, errorMessage: ending.error.message } : {}
