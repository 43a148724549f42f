import * as v from 'valibot'
import { type Access, type MountedRoute, refusals } from './mounted-routes.ts'
import { type PlainResponse, send } from './send.ts'

export type Headers = Readonly<Record<string, string | string[]>>

const takesBody = new Set(['POST', 'PUT', 'PATCH'])

/**
 * Sends a request from an address of its own: after wrong passwords, the right one is refused at the same address for a while.
 *
 * @param known values of path parameters by name; all others are `x`
 */
export function sendToRoute(
  origin: string,
  { method, template }: Pick<MountedRoute, 'method' | 'template'>,
  headers: Headers,
  known: Readonly<Record<string, string>> = {},
  headersOnly = false,
): Promise<PlainResponse> {
  return send(origin, {
    headersOnly,
    localAddress: '127.0.0.2',
    method,
    path: template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(known[name] ?? 'x')),
    headers: { ...headers, ...(takesBody.has(method) ? { 'content-type': 'application/json' } : {}) },
    ...(takesBody.has(method) ? { body: '{}' } : {}),
  })
}

export interface Trial {
  readonly origin: string
  readonly routes: readonly MountedRoute[]
  /** Only routes with this access are tried. */
  readonly access: readonly Access[]
  readonly headers: Headers
  readonly known?: Readonly<Record<string, string>>
  readonly headersOnly?: boolean
  readonly isRight: (response: PlainResponse, route: MountedRoute) => boolean
}

/** Sends the same request to each route. @returns the routes whose answers are not as expected */
export async function unexpectedAnswers({
  origin,
  routes,
  access,
  headers,
  known,
  headersOnly,
  isRight,
}: Trial): Promise<readonly string[]> {
  const found: string[] = []
  for (const route of routes.filter((route) => access.includes(route.access))) {
    const response = await sendToRoute(origin, route, headers, known, headersOnly)
    if (!isRight(response, route)) {
      found.push(`${route.method} ${route.template}: ${response.status} ${response.text.slice(0, 200)}`)
    }
  }
  return found
}

/** Returns whether a response is a 401, or a 429 after many wrong passwords, in the shape of its service. */
export const isRefusal = ({ status, headers, text }: PlainResponse, { errorShape }: MountedRoute): boolean => {
  const announced = headers[status === 429 ? 'retry-after' : 'www-authenticate']
  return [401, 429].includes(status) && announced !== undefined && v.is(refusals[errorShape], JSON.parse(text))
}

export const isOpen = ({ status }: PlainResponse): boolean => [200, 308, 400, 404].includes(status)

export const isForeign = ({ status, text }: PlainResponse): boolean =>
  status === 403 && text.includes('"foreign_origin"')

/** Headers of pages that a server on loopback must refuse. */
export const foreignHeaders: readonly (readonly [from: string, headers: Headers])[] = [
  ['of another site', { origin: 'https://evil.example' }],
  ['without an origin of its own', { origin: 'null' }],
  ['whose name points at loopback', { host: 'evil.example:8787' }],
  ['whose name begins with loopback', { host: '127.0.0.1.evil.example' }],
]
