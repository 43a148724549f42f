import { fetchHandler } from '@trivium/fetch-adapter'
import { type Client, createClient } from '@trivium/http-client'
import { type EmulationRoutesOptions, emulationContract, emulationRoutes } from '../src/http/index.ts'
import { createLab, type Lab } from './lab.ts'

export interface Answered {
  readonly status: number
  readonly headers: Headers
  // Tests assert the type of a body.
  readonly body: unknown
}

const ADMIN = 'Basic YWRtaW46c2VjcmV0'

// A named type: written out, it is too long to declare.
export interface HttpLabClient extends Client<typeof emulationContract> {}

export type HttpLab = ReturnType<typeof createHttpLab>

/** Creates a server that answers web-standard requests. */
export function createHttpLab(
  options: EmulationRoutesOptions = {},
  labOptions: Parameters<typeof createLab>[0] = {},
  stores?: Lab['stores'],
) {
  const lab = createLab(labOptions, ...(stores ? [stores] : []))
  const routes = emulationRoutes(lab.emulation, {
    admin: ({ username, password }) => username === 'admin' && password === 'secret',
    onFault: (error) => lab.faults.push(error),
    ...options,
  })
  const handle = fetchHandler(routes)

  const answer = async (sent: Request): Promise<Response> =>
    (await handle(sent)) ?? new Response('no route', { status: 404 })

  const request = (method: string, path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers({ authorization: ADMIN, ...init.headers })
    return answer(new Request(`http://server${path}`, { method, ...init, headers }))
  }

  const client: HttpLabClient = createClient(emulationContract, {
    baseUrl: 'http://server',
    headers: { authorization: ADMIN },
    fetch: (url, init) => answer(new Request(url, init)),
  })

  /** @param body is sent as JSON; a text as it is */
  const call = async (method: string, path: string, body?: unknown): Promise<Answered> => {
    const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
    const response = await request(method, path, sent)
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
  }

  return { ...lab, call, client, request, routes, authorization: ADMIN, stop: () => handle.close() }
}
