import type { Front } from '../dialects/answering/front.ts'
import type { JsonObject } from '../dialects/dialect.ts'
import type { ChatAnswer } from '../providers/provider.ts'
import { factsOf } from './answer-facts.ts'
import { usageOf } from './answer-usage.ts'
import type { ChatCompletion } from './chat-completion.ts'
import type { ChatCompletionRequest } from './chat-request.ts'
import { estimateInput, outputLimit } from './estimate-tokens.ts'
import { asksForUsage } from './requests/upstream-request.ts'
import { chatProtocol } from './streams/chat-protocol.ts'

/** Chat completions as the dialect of clients. */
export const chatFront: Front<ChatAnswer> = {
  dialect: 'chat',
  purpose: 'chat completions',
  estimateInput: (body) => estimateInput(requestOf(body)),
  outputLimit: (body) => outputLimit(requestOf(body)),
  limits: ['max_tokens', 'max_completion_tokens', 'n'],
  answers: (body) => requestOf(body).n ?? 1,
  // The older name is named only to clients that use it.
  outputParam: ({ max_tokens: old, max_completion_tokens: limit }) =>
    typeof old === 'number' && typeof limit !== 'number' ? 'max_tokens' : 'max_completion_tokens',
  protocol(body, _, addsUsage) {
    const request = requestOf(body)
    return chatProtocol({ choices: request.n ?? 1, stripUsage: addsUsage && !asksForUsage(request) })
  },
  passed(answer) {
    if (answer.dialect !== 'chat') throw new TypeError('The answer is not a chat completion.')
    return answer.answer
  },
  written: (value, bytes, headers) => ({
    kind: 'encoded',
    bytes,
    completion: isCompletion(value) ? value : {},
    headers,
  }),
  valueOf: ({ completion }) => completion,
  headersOf: ({ headers = {} }) => headers,
  usageOf: (body, value) => usageOf(requestOf(body), value),
  factsOf,
}

/** The bodies of this front are chat requests, which its callers have checked. */
function requestOf(body: JsonObject): ChatCompletionRequest {
  if (!isRequest(body)) throw new TypeError('The body is not a chat request.')
  return body
}

const isRequest = (body: JsonObject): body is ChatCompletionRequest =>
  typeof body.model === 'string' && Array.isArray(body.messages)

const isCompletion = (value: JsonObject): value is ChatCompletion => Array.isArray(value.choices)
