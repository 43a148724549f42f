import { fetchHandler } from '@trivium/fetch-adapter'
import { createGateway, StoreFailure } from '@trivium/gateway-core'
import { gatewayContract, gatewayRoutes } from '@trivium/gateway-core/http'
import { adminCheck, type Reply } from '@trivium/http-contract'
import { localProvider } from '@trivium/local-provider'
import { memoryGatewayRepositories } from '@trivium/memory-repositories/gateway'
import * as v from 'valibot'
import type { FailureAnswer } from '../../packages/gateway-core/src/http/errors/failure-schema.ts'
import { failures } from '../../packages/gateway-core/src/http/errors/failures.ts'
import { type GatewayError, refuse } from '../../packages/gateway-core/src/http/errors/refusals.ts'
import { answerTo, type RefusedRequest } from './answers.ts'
import { type ErrorCatalogue, type GroupedEntry, groupsOf, type ToldType } from './catalogue.ts'
import { gatewayOutcomes } from './gateway-outcomes.ts'

const failureBody = v.object({ error: v.object({ code: v.nullable(v.string()), message: v.string() }) })

interface ToldRequest {
  readonly group: string
  readonly request: RefusedRequest
  readonly when: string
  readonly remedy: string
}

const ACCESS = 'Keys and access'
const REQUEST = 'The request itself'
const SERVER = 'The server'

const basic = (password: string) => ({ authorization: `Basic ${btoa(`admin:${password}`)}` })
const json = { ...basic('secret'), 'content-type': 'application/json' }

const requests = (key: string): readonly ToldRequest[] => [
  {
    group: ACCESS,
    request: { path: '/v1/models' },
    when: 'An operation that takes a key came without one.',
    remedy: 'Send `Authorization: Bearer tvm_…`.',
  },
  {
    group: ACCESS,
    request: { path: '/v1/models', headers: { authorization: 'tvm_key' } },
    when: 'The header is there, and neither Bearer nor Basic, or there twice.',
    remedy: 'Write the word `Bearer` before the key.',
  },
  {
    group: ACCESS,
    request: { path: '/v1/auth/keys' },
    when: 'An operation of the admin came without credentials.',
    remedy: "Send the admin's password: `curl -u admin:…`.",
  },
  {
    group: ACCESS,
    request: { path: '/v1/auth/keys', headers: basic('wrong') },
    when: "The admin's name or password is wrong.",
    remedy: 'Use the password that the host has set; the reference server keeps it in its data directory.',
  },
  {
    group: ACCESS,
    request: { path: '/v1/auth/keys', headers: { ...basic('secret'), origin: 'http://elsewhere.example' } },
    when: 'A browser sent HTTP Basic from a page of another origin.',
    remedy: 'Let that page send a Bearer token.',
  },
  {
    group: ACCESS,
    request: { path: '/v1/auth/keys', headers: { authorization: `Bearer ${key}` } },
    when: 'A key asks for what only the admin may do.',
    remedy: "Use the admin's credentials.",
  },
  {
    group: ACCESS,
    request: { path: '/v1/usage?key_id=other', headers: { authorization: `Bearer ${key}` } },
    when: 'A key asks for the usage of another.',
    remedy: 'Leave `key_id` out, or ask as the admin.',
  },
  {
    group: ACCESS,
    request: { path: '/search?q=x' },
    when: "A rule of the host's own (`authorize`) admits nobody for this request. Here it guards `/search`.",
    remedy: 'Present what the host asks for.',
  },
  {
    group: REQUEST,
    request: { method: 'POST', path: '/v1/chat/completions', headers: json, body: '{"model":"m"}' },
    when: 'A field that has to be there is missing; `param` names it.',
    remedy: 'Add the field.',
  },
  {
    group: REQUEST,
    request: { method: 'POST', path: '/v1/chat/completions', headers: json, body: '{"model":1,"messages":[]}' },
    when: 'A field has a wrong type; `param` names it.',
    remedy: 'Mend the field as the message says.',
  },
  {
    group: REQUEST,
    request: {
      method: 'POST',
      path: '/v1/chat/completions',
      headers: json,
      body: '{"model":"m","messages":[{"role":"user","content":"x"}],"temperature":9}',
    },
    when: 'A field is out of its bounds; `param` names it.',
    remedy: 'Mend the field as the message says.',
  },
  {
    group: REQUEST,
    request: { path: '/v1/usage?from=2030-01-02&to=2030-01-01', headers: basic('secret') },
    when: 'The span of a usage report ends before it begins.',
    remedy: 'Exchange the two.',
  },
  {
    group: REQUEST,
    request: { path: '/v1/images/files/absent' },
    when: 'No picture has this address: it never was, or its time is over.',
    remedy: 'Make it again, and fetch it soon.',
  },
  {
    group: REQUEST,
    request: { method: 'PUT', path: '/search' },
    when: 'The path exists, with other methods.',
    remedy: 'Use a method that the message and the header `Allow` name.',
  },
]

async function answered(): Promise<readonly GroupedEntry[]> {
  const gateway = createGateway({ repositories: memoryGatewayRepositories(), providers: [localProvider()] })
  const issued = await gateway.apiKeys.generate({ username: 'catalogue' })
  if (issued.isErr()) throw new Error(issued.error.type)
  const routes = gatewayRoutes(gateway, { admin: adminCheck('secret'), authorize: { search: () => undefined } })
  const handle = fetchHandler(routes)
  const entries: GroupedEntry[] = []
  for (const { request, ...told } of requests(issued.value.secret)) {
    const { status, body } = await answerTo(handle, request)
    entries.push({ ...told, status, ...wordsOf(body) })
  }
  await gateway.close()
  return entries
}

const CHAT_BODY_LIMIT = gatewayContract.createChatCompletion.bodyLimit

const faults: readonly (Omit<GroupedEntry, 'code' | 'status' | 'message'> & { readonly reply: Reply })[] = [
  {
    group: REQUEST,
    reply: failures.malformed("{the parser's own words}", gatewayContract.createChatCompletion),
    when: 'The body is not JSON.',
    remedy: 'Send valid JSON.',
  },
  {
    group: REQUEST,
    reply: failures.tooLarge(CHAT_BODY_LIMIT, gatewayContract.createChatCompletion),
    when: 'The body is larger than the operation takes (`chatBodyLimit` of the host, for chat).',
    remedy: 'Send less: shorten the conversation, or its pictures.',
  },
  {
    group: SERVER,
    reply: failures.unexpected(new StoreFailure('away'), gatewayContract.listKeys),
    when: 'The database is away.',
    remedy: 'Send it again after a second.',
  },
  {
    group: SERVER,
    reply: failures.unexpected(new Error('a fault'), gatewayContract.listKeys),
    when: 'A fault in the gateway, or in a part that the host gave.',
    remedy: "The operator looks into the host's log (`onFault`) with the `x-request-id` of the answer.",
  },
]

const replied: readonly GroupedEntry[] = faults.map(({ reply, ...told }) => ({
  ...told,
  status: reply.status,
  ...wordsOf('value' in reply ? reply.value : undefined),
}))

function wordsOf(body: unknown): { readonly code: string; readonly message: string } {
  const { error } = v.parse(failureBody, body)
  return { code: error.code ?? '', message: error.message }
}

const types: readonly ToldType<GatewayError>[] = Object.values(gatewayOutcomes)

const outcomes: readonly GroupedEntry[] = types.flatMap(({ group, told }) =>
  told.map(({ outcome, when, remedy }) => {
    const { status, body }: FailureAnswer = refuse(outcome)
    return { group, status, ...wordsOf(body), when, remedy }
  }),
)

export const gatewayCatalogue = async (): Promise<ErrorCatalogue> => ({
  title: 'Errors of the gateway',
  codeTitle: 'code',
  introduction: `Every error has OpenAI's shape: \`{"error": {"message", "type", "param", "code"}}\`. Programs go by the status and \`code\`;
\`param\` names the field that is meant, where there is one. \`type\` is the sort: \`invalid_request_error\`, \`server_error\`,
\`requests\` or \`tokens\` over a limit of the key, \`rate_limit_error\` over one of an upstream, or what an upstream says itself. \`{…}\` in a message stands for what differs. A stream that fails
after its first event ends in an event with the same body. Every answer has an \`x-request-id\`.`,
  groups: groupsOf([...(await answered()), ...outcomes, ...replied]),
})
