import { fetchHandler } from '@trivium/fetch-adapter'
import { type Client, createClient } from '@trivium/http-client'
import { type StorageRoutesOptions, storageContract, storageRoutes } from '../src/http/index.ts'
import { type OpenStorage, type OpenStorageOptions, openStorage } from './open-storage.ts'

/** JSON without a type: each test checks what it expects. */
type ParsedJson = ReturnType<typeof JSON.parse>

export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: ParsedJson
}

export interface OpenHttp extends OpenStorage {
  readonly client: Client<typeof storageContract>
  readonly ask: (method: string, path: string, options?: AskOptions) => Promise<Answered>
  readonly get: (path: string, headers?: Readonly<Record<string, string>>) => Promise<Answered>
  readonly post: (path: string, body: unknown) => Promise<Answered>
  readonly patch: (path: string, body: unknown) => Promise<Answered>
  readonly delete: (path: string) => Promise<Answered>
  /** Closes the mount of the interface, as a host that stops. */
  readonly stop: () => Promise<void>
}

export interface AskOptions {
  /** A text and a blob are sent unchanged, everything else as JSON. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export const RULES = '/api/storage/quota/rules'
export const TOKENS = '/api/storage/file/clone/tokens'
export const VOLUMES = '/api/storage/volumes'
export const QTREES = '/api/storage/qtrees'
export const JOBS = '/api/cluster/jobs'
export const NOTICES = '/api/support/events'
export const WEBHOOKS = '/api/support/webhooks'
export const SELF_QUOTAS = '/api/self/quotas'
export const SELF_TOKENS = '/api/self/tokens'

const credentials = `Basic ${btoa('admin:secret')}`

/** Opens a storage with its HTTP interface, without a socket. */
export async function openHttp(
  options: OpenStorageOptions = {},
  routesOptions: Pick<StorageRoutesOptions, 'authorize' | 'onAnswered' | 'onFault'> = {},
): Promise<OpenHttp> {
  const open = await openStorage(options)
  const routes = storageRoutes(open.storage, {
    admin: ({ username = 'admin', password }) => username === 'admin' && password === 'secret',
    onFault: (fault) => {
      throw fault
    },
    ...routesOptions,
  })
  const handle = fetchHandler(routes)
  const answer = async (request: Request): Promise<Response> => {
    const response = await handle(request)
    if (!response) throw new Error(`No route for ${request.method} ${request.url}`)
    return response
  }
  const ask: OpenHttp['ask'] = async (method, path, { body, headers = {} } = {}) => {
    const isWhole = typeof body === 'string' || body === undefined || body instanceof Blob
    const sent = isWhole ? body : JSON.stringify(body)
    const request = new Request(`http://storage${path}`, {
      method,
      headers: { authorization: credentials, ...headers },
      ...(sent !== undefined && { body: sent }),
    })
    const response = await answer(request)
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      text,
      body:
        /json(?:;|$)/.test(response.headers.get('content-type') ?? '') && text !== '' ? JSON.parse(text) : undefined,
    }
  }
  return {
    ...open,
    client: createClient(storageContract, {
      baseUrl: 'http://storage',
      headers: { authorization: credentials },
      fetch: (url, request) => answer(new Request(url, request)),
    }),
    ask,
    get: (path, headers) => ask('GET', path, headers ? { headers } : {}),
    post: (path, body) => ask('POST', path, { body }),
    patch: (path, body) => ask('PATCH', path, { body }),
    delete: (path) => ask('DELETE', path),
    stop: () => handle.close(),
  }
}

/** Returns the body of a rule for vol1. */
export const ruleBody = (changes: Readonly<Record<string, unknown>> = {}) => ({
  svm: { name: 'svm1' },
  volume: { name: 'vol1' },
  type: 'tree',
  qtree: { name: 'qt1' },
  ...changes,
})

export async function makeRule(http: OpenHttp, changes: Readonly<Record<string, unknown>> = {}) {
  const { status, body, text } = await http.post(`${RULES}?return_timeout=30`, ruleBody(changes))
  if (status !== 201) throw new Error(`The rule was not created: ${text}`)
  return body.records[0]
}

export async function makeQtree(http: OpenHttp, name: string) {
  const request = { svm: { name: 'svm1' }, volume: { name: 'vol1' }, name }
  const { status, body, text } = await http.post(`${QTREES}?return_timeout=30`, request)
  if (status !== 201) throw new Error(`The qtree was not created: ${text}`)
  return body.records[0]
}

/** Switches the quotas of vol1 on or off, and waits for the job. */
export async function switchQuota(http: OpenHttp, enabled: boolean) {
  const { status, text } = await http.patch(`${VOLUMES}/${http.vol1.uuid}?return_timeout=60`, {
    'quota.enabled': enabled,
  })
  if (status !== 200) throw new Error(`Quotas were not switched: ${text}`)
}

export const nodeOf = async (http: OpenHttp): Promise<string> =>
  (await http.get('/api/cluster/nodes')).body.records[0].uuid
