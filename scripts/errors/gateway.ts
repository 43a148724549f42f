import { fetchHandler } from '@trivium/fetch-adapter'
import { createGateway, ServiceClosed, StoreFailure } from '@trivium/gateway-core'
import { gatewayContract, gatewayRoutes } from '@trivium/gateway-core/http'
import { adminCheck } from '@trivium/http-contract'
import { localProvider } from '@trivium/local-provider'
import * as v from 'valibot'
import { modelTooLate } from '../../packages/gateway-core/src/endpoints/multipart/upload-form.ts'
import { tooManyAttempts } from '../../packages/gateway-core/src/http/access/access.ts'
import { notPermitted } from '../../packages/gateway-core/src/http/access/ask-host-rule.ts'
import { formFailure, MAX_HELD_BYTES } from '../../packages/gateway-core/src/http/endpoints/open-upload.ts'
import { excessiveFailure } from '../../packages/gateway-core/src/http/errors/body-failure.ts'
import { answerNotes, errorNotes } from '../../packages/gateway-core/src/http/errors/error-notes.ts'
import type { Failure } from '../../packages/gateway-core/src/http/errors/failure.ts'
import { failureReply } from '../../packages/gateway-core/src/http/errors/failure-reply.ts'
import { failures } from '../../packages/gateway-core/src/http/errors/failures.ts'
import { type GatewayError, toFailure } from '../../packages/gateway-core/src/http/errors/to-failure.ts'
import { modelNotGranted } from '../../packages/gateway-core/src/http/realtime/socket-routes.ts'
import { eventsDropped } from '../../packages/gateway-core/src/responses/event-replay.ts'
import { type Examples, entriesOfAnswers } from './answers.ts'
import { type ErrorCatalogue, type GroupedEntry, groupsOf, outcomeEntries } from './catalogue.ts'

const failureBody = v.object({ error: v.object({ code: v.nullable(v.string()), message: v.string() }) })

const basic = (password: string) => ({ authorization: `Basic ${btoa(`admin:${password}`)}` })
const json = { ...basic('secret'), 'content-type': 'application/json' }

const CHAT_BODY_LIMIT = gatewayContract.createChatCompletion.bodyLimit

const examplesFor = (key: string): Examples<typeof answerNotes> => ({
  noKey: { path: '/v1/models' },
  unreadableCredentials: { path: '/v1/models', headers: { authorization: 'tvm_key' } },
  noAdmin: { path: '/v1/auth/keys' },
  wrongAdmin: { path: '/v1/auth/keys', headers: basic('wrong') },
  foreignOrigin: { path: '/v1/auth/keys', headers: { ...basic('secret'), origin: 'http://elsewhere.example' } },
  tooManyPasswords: failureReply(tooManyAttempts(1)),
  notPermitted: failureReply(notPermitted),
  keyForAdmin: { path: '/v1/auth/keys', headers: { authorization: `Bearer ${key}` } },
  keyRequired: {
    method: 'POST',
    path: '/v1/realtime/client_secrets',
    headers: json,
    body: JSON.stringify({ session: { model: 'm' } }),
  },
  usageOfAnother: { path: '/v1/usage?key_id=other', headers: { authorization: `Bearer ${key}` } },
  refusedByHost: { path: '/search?q=x' },
  missingField: { method: 'POST', path: '/v1/chat/completions', headers: json, body: '{"model":"m"}' },
  invalidType: { method: 'POST', path: '/v1/chat/completions', headers: json, body: '{"model":1,"messages":[]}' },
  unknownField: {
    method: 'POST',
    path: '/v1/auth/generate-key',
    headers: json,
    body: '{"username":"ada","colour":"red"}',
  },
  outOfBounds: {
    method: 'POST',
    path: '/v1/chat/completions',
    headers: json,
    body: '{"model":"m","messages":[{"role":"user","content":"x"}],"temperature":9}',
  },
  invertedSpan: { path: '/v1/usage?from=2030-01-02&to=2030-01-01', headers: basic('secret') },
  sessionTooLarge: {
    method: 'POST',
    path: '/v1/realtime/client_secrets',
    headers: { ...json, authorization: `Bearer ${key}` },
    body: JSON.stringify({ session: { model: 'm', instructions: 'x'.repeat(5000) } }),
  },
  upgradeRequired: { path: '/v1/realtime' },
  modelNotGranted: failureReply(modelNotGranted('{model}')),
  imageNotFound: { path: '/v1/images/files/absent' },
  requestNotFound: { path: '/v1/requests/absent', headers: basic('secret') },
  methodNotAllowed: { method: 'PUT', path: '/search' },
  formAbsent: { method: 'POST', path: '/v1/audio/transcriptions', headers: json, body: '{}' },
  formWithoutModel: failureReply(formFailure(modelTooLate(MAX_HELD_BYTES))),
  formMalformed: {
    method: 'POST',
    path: '/v1/audio/transcriptions',
    headers: { ...basic('secret'), 'content-type': 'multipart/form-data' },
    body: 'x',
  },
  formTooLarge: {
    method: 'POST',
    path: '/v1/audio/transcriptions',
    headers: { ...basic('secret'), 'content-type': 'multipart/form-data; boundary=x' },
    body: '--x\r\ncontent-disposition: form-data; name=a\r\n\r\nb\r\n'.repeat(101),
  },
  eventsDropped: { kind: 'json', status: 200, headers: {}, value: { error: eventsDropped.fields } },
  tooManyValues: failureReply(excessiveFailure('it has too many values, more than 30000')),
  malformed: failures.malformed("{the parser's message}", gatewayContract.createChatCompletion),
  tooLarge: failures.tooLarge(CHAT_BODY_LIMIT, gatewayContract.createChatCompletion),
  storeUnavailable: failures.unexpected(new StoreFailure('unavailable'), gatewayContract.listKeys),
  closed: failures.unexpected(new ServiceClosed('gateway'), gatewayContract.listKeys),
  fault: failures.unexpected(new Error('a fault'), gatewayContract.listKeys),
})

async function answered(): Promise<readonly GroupedEntry[]> {
  const gateway = createGateway({ providers: [localProvider()] })
  const issued = await gateway.apiKeys.generate({ username: 'catalogue' })
  if (issued.isErr()) throw new Error(issued.error.type)
  const routes = gatewayRoutes(gateway, { admin: adminCheck('secret'), authorize: { search: () => undefined } })
  const handle = fetchHandler(routes)
  const examples = examplesFor(issued.value.secret)
  const entries = await entriesOfAnswers({ notes: answerNotes, examples, handle, codeAndMessageOf })
  await gateway.close()
  return entries
}

function codeAndMessageOf(body: unknown): { readonly code: string; readonly message: string } {
  const { error } = v.parse(failureBody, body)
  return { code: error.code ?? '', message: error.message }
}

const outcomes = outcomeEntries<GatewayError>(errorNotes, (error) => {
  const { status, body }: Failure = toFailure(error)
  return { status, ...codeAndMessageOf(body) }
})

const isOfServer = ({ group }: GroupedEntry): boolean => group === ('The server' satisfies keyof typeof answerNotes)

export async function gatewayCatalogue(): Promise<ErrorCatalogue> {
  const entries = await answered()
  return {
    title: 'Errors of the gateway',
    codeTitle: 'code',
    introduction: `Errors have OpenAI's shape: \`{"error": {"message", "type", "param", "code"}}\`. Programs use the status and \`code\`.
\`param\` names the wrong field, where there is one. \`type\` is one of \`invalid_request_error\`, \`server_error\`, \`requests\` or
\`tokens\` over a limit of the key, \`rate_limit_error\` over a limit of an upstream, or the type that an upstream returned.
\`{…}\` in a message stands for a part that differs. A stream that fails after its first event
[ends with an error event](../errors.md#errors-in-streams). Every answer has an \`x-request-id\`.

Errors of \`/v1/messages\` and \`/v1/messages/count_tokens\` have Anthropic's shape, with the same status and message:
\`{"type": "error", "error": {"type", "message"}, "request_id"}\`. \`error.type\` follows from the status:

| status | \`error.type\` |
|---|---|
| 400, and others below 500 | \`invalid_request_error\` |
| 401 | \`authentication_error\` |
| 403 | \`permission_error\` |
| 404 | \`not_found_error\` |
| 413 | \`request_too_large\` |
| 429 | \`rate_limit_error\`, \`billing_error\` for a spent budget |
| 504 | \`timeout_error\` |
| 529 | \`overloaded_error\` |
| 500, and others from there | \`api_error\` |`,
    groups: groupsOf([...entries.filter((entry) => !isOfServer(entry)), ...outcomes, ...entries.filter(isOfServer)]),
  }
}
