import { gatewayContract, gatewaySecurity, gatewaySecuritySchemes } from '@trivium/gateway-core/http'
import {
  type AdminCheck,
  type Admission,
  type AnsweredRequest,
  adminRefusal,
  asSentence,
  type Exchange,
  encodedJson,
  type Failures,
  implement,
  type Operation,
  type Refusal,
  type Reply,
  type Route,
} from '@trivium/http-contract'
import { callerWithoutAuthentication } from '../access/without-authentication.ts'
import type { PrometheusMetrics } from '../metrics/prometheus.ts'
import type { Settings } from '../settings.ts'
import { version } from '../version.ts'
import { pagesContract } from './pages-contract.ts'

export interface PagesOptions {
  readonly settings: Pick<Settings, 'TRIVIUM_AUTH'>
  /** All other routes of the server, for the OpenAPI document. */
  readonly routes: readonly Route[]
  readonly metrics: Pick<PrometheusMetrics, 'text'>
  readonly isAdmin: AdminCheck
  readonly onAnswered: (answered: AnsweredRequest) => void
  readonly onFault: (error: unknown) => void
}

const encoder = new TextEncoder()

const pageHeaders = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}

export function pagesRoutes({
  settings,
  routes,
  metrics,
  isAdmin,
  onAnswered,
  onFault,
}: PagesOptions): readonly Route[] {
  const own = implement(
    pagesContract,
    {
      openApiDocument: async ({ mount }) => ({
        status: 200,
        body: encodedJson(await documentAt(`${mount.origin}${mount.path}`)),
      }),
      apiReference: async () => ({ status: 200, headers: pageHeaders, body: (await pages()).reference }),
      metrics: async () => ({ status: 200, body: encoder.encode(await metrics.text()) }),
    },
    {
      failures,
      admit: (exchange, operation) =>
        settings.TRIVIUM_AUTH === 'off' && callerWithoutAuthentication(exchange) !== 'default'
          ? { caller: undefined }
          : admit(exchange, operation, isAdmin),
      isAdministrative: () => false,
      onAnswered,
      onFault,
    },
  )
  // Unauthenticated callers can request them often, so each is made once and every answer shares its bytes.
  let made: ReturnType<typeof makePages> | undefined
  const pages = () => {
    made ??= makePages([...routes, ...own])
    return made
  }
  const documents = new Map<string, Uint8Array>()
  const documentAt = async (url: string): Promise<Uint8Array> => {
    const { document: shared } = await pages()
    const known = documents.get(url)
    if (known) return known
    const document = encoder.encode(`{"servers":${JSON.stringify([{ url }])},${shared.slice(1)}`)
    const [oldest] = documents.size < KEPT_DOCUMENTS ? [] : documents.keys()
    if (oldest !== undefined) documents.delete(oldest)
    documents.set(url, document)
    return document
  }
  return own
}

interface Pages {
  readonly document: string
  readonly reference: Uint8Array
}

async function makePages(routes: readonly Route[]): Promise<Pages> {
  const { toOpenApiInTurns } = await import('@trivium/http-contract/openapi')
  const { renderApiReference } = await import('./api-reference.ts')
  const document = await toOpenApiInTurns([{ operations: routes, security: securityOf }], {
    info: { title: 'Trivium', version },
    securitySchemes: gatewaySecuritySchemes,
  })
  return { document: JSON.stringify(document), reference: encoder.encode(renderApiReference(document)) }
}

const securityOf = (id: string) => (Object.hasOwn(gatewayContract, id) ? gatewaySecurity(id) : undefined)

/** Each address at which clients reach the server has its own document. */
const KEPT_DOCUMENTS = 8

async function admit(exchange: Exchange, { path }: Operation, isAdmin: AdminCheck): Promise<Admission<undefined>> {
  const refusal = path === '/metrics' ? await adminRefusal(exchange, isAdmin) : undefined
  return refusal ? { reply: refusalReply(refusal), reason: refusal.reason } : { caller: undefined }
}

function refusalReply({ retryAfterSeconds }: Refusal): Reply {
  const isGuess = retryAfterSeconds !== undefined
  const reply = isGuess
    ? failure(429, 'Too many wrong passwords came from this address. Wait, and try again.')
    : failure(401, 'Only the admin can read metrics. Present the admin password by HTTP Basic or as a Bearer token.')
  const headers = isGuess
    ? { 'retry-after': String(retryAfterSeconds) }
    : { 'www-authenticate': 'Basic realm="Trivium"' }
  return { ...reply, headers }
}

const failure = (status: number, message: string): Reply => ({
  kind: 'json',
  status,
  headers: {},
  value: { error: { message } },
})

const failures: Failures = {
  malformed: (detail) => failure(400, asSentence(`The body is not valid JSON: ${detail}`)),
  invalid: ({ path }) => failure(400, `The field "${path}" is not valid.`),
  tooLarge: (limit) => failure(413, `The body must have at most ${limit} bytes.`),
  methodNotAllowed: (method, allow) => failure(405, `The method "${method}" is not supported here. Use ${allow}.`),
  unexpected: () => failure(500, 'The server failed to answer the request.'),
  interrupted: () => ({ error: { message: 'The answer was cut off.' } }),
}
