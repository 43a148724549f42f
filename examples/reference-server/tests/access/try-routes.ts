import * as v from 'valibot'
import { type Access, type MountedRoute, refusals } from './mounted-routes.ts'
import { type PlainResponse, send } from './send.ts'

export type Headers = Readonly<Record<string, string | string[]>>

const takesBody = new Set(['POST', 'PUT', 'PATCH'])

/**
 * Asks from an address of its own: where wrong passwords come from, the right one is not looked at for a while.
 *
 * @param known what paths are filled with, by the names of their parameters; all others are `x`
 */
export function tryRoute(
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
  /** Only those routes. */
  readonly access: readonly Access[]
  readonly headers: Headers
  readonly known?: Readonly<Record<string, string>>
  readonly headersOnly?: boolean
  readonly isRight: (response: PlainResponse, route: MountedRoute) => boolean
}

/** Every route of a kind, tried the same way; names those that answer otherwise than expected. */
export async function surprises({
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
    const response = await tryRoute(origin, route, headers, known, headersOnly)
    if (!isRight(response, route)) {
      found.push(`${route.method} ${route.template}: ${response.status} ${response.text.slice(0, 200)}`)
    }
  }
  return found
}

/** Where many wrong passwords come from, further ones are not looked at. */
export const isRefusal = ({ status, headers, text }: PlainResponse, { wording }: MountedRoute): boolean => {
  const announced = headers[status === 429 ? 'retry-after' : 'www-authenticate']
  return [401, 429].includes(status) && announced !== undefined && v.is(refusals[wording], JSON.parse(text))
}

export const isOpen = ({ status }: PlainResponse): boolean => [200, 308, 404].includes(status)

export const isForeign = ({ status, text }: PlainResponse): boolean =>
  status === 403 && text.includes('"foreign_origin"')

/** Where pages come from that have no business with a server on loopback. */
export const foreignHeaders: readonly (readonly [from: string, headers: Headers])[] = [
  ['of another site', { origin: 'https://evil.example' }],
  ['without an origin of its own', { origin: 'null' }],
  ['whose name points at loopback', { host: 'evil.example:8787' }],
  ['whose name begins with loopback', { host: '127.0.0.1.evil.example' }],
]
