import type { Reply, Route } from '@trivium/http-contract'
import { isObject } from '../../chat/is-object.ts'
import type { GatewayOperation } from '../contract.ts'
import { codeHeader, messageFailureBody } from './message-failure.ts'

const operations: ReadonlySet<string> = new Set<GatewayOperation>(['createMessage', 'countMessageTokens'])

/**
 * Gives every reply of the operations of messages the headers, and every error the form, that Anthropic's clients read:
 * also those of access rules, of the account and of requests that cannot be read.
 */
export function messageRoute<Host>(route: Route<Host>): Route<Host> {
  if (!operations.has(route.id)) return route
  return {
    ...route,
    handle: async (exchange) => messageReply(await route.handle(exchange)),
    refuseMethod: (method, allow, mount) => messageReply(route.refuseMethod(method, allow, mount)),
    fail: (error, mount) => messageReply(route.fail(error, mount)),
  }
}

/** The upstream's id, where the reply has one, stays the id that its support asks for. */
function messageReply(reply: Reply): Reply {
  const requestId = reply.headers['x-request-id'] ?? ''
  const headers = reply.headers['request-id'] ? reply.headers : { ...reply.headers, 'request-id': requestId }
  const error = reply.kind === 'json' ? openAiError(reply.value) : undefined
  return error === undefined
    ? { ...reply, headers }
    : {
        kind: 'json',
        status: reply.status,
        headers: { ...headers, ...codeHeader(error.code) },
        value: messageFailureBody(reply.status, error, requestId),
      }
}

/** Returns the message and the code of an error in OpenAI's form. */
function openAiError(value: unknown): { readonly message: string; readonly code: unknown } | undefined {
  const error = isObject(value) && value.type === undefined && isObject(value.error) ? value.error : undefined
  return typeof error?.message === 'string' ? { message: error.message, code: error.code } : undefined
}
