import { once } from 'node:events'
import type { OpenApiDocument } from '@trivium/http-contract/openapi'
import { WebSocket } from 'ws'
import { ADMIN } from '../fuzz/targets/call-routes.ts'
import { linksOf } from './links-of.ts'
import type { View } from './view.ts'

/** A request from which a crawl begins. */
export interface Entry {
  readonly method: string
  /** Without the prefix of the mount. */
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** What a crawl has found. */
export interface Crawled {
  /** Addresses that do not begin with that of the mount, or are answered with 404. */
  readonly problems: readonly string[]
  /** The places of all addresses, such as `location` and `_links.next.href`. */
  readonly places: ReadonlySet<string>
}

/** Sends the entries, and requests every address in their answers, and in the answers to these requests. */
export async function crawl(view: View, entries: readonly Entry[]): Promise<Crawled> {
  const problems: string[] = []
  const places = new Set<string>()
  const known = new Set<string>()

  const send = async (method: string, url: string, { body, headers = {} }: Partial<Entry> = {}) => {
    const target = view.route(url)
    const response = await fetch(target.url, {
      method,
      redirect: 'manual',
      headers: { authorization: ADMIN, ...target.headers, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const type = response.headers.get('content-type') ?? ''
    if (!type.includes('json') || type.includes('ndjson')) {
      await response.body?.cancel()
      return { response, value: undefined }
    }
    return { response, value: JSON.parse((await response.text()) || 'null') }
  }

  const isServed = async (url: string) => (await send('OPTIONS', url)).response.status !== 404

  const take = (place: string, url: string, from: string): boolean => {
    places.add(place)
    if (url === view.base || url.startsWith(`${view.base}/`)) return true
    problems.push(`${from}: ${place} is ${url}`)
    return false
  }

  const visit = async (method: string, url: string, entry: Partial<Entry> = {}): Promise<void> => {
    const from = `${method} ${url.replace(view.base, '')}`
    const { response, value } = await send(method, url, entry)
    if (response.status === 404) problems.push(`${from} is answered with 404`)
    const route = response.headers.get('x-route')
    if (route !== null) await checkRoute(route, url, from, value)
    if (isDocument(value)) return checkDocument(value, from)
    for (const { place, target } of linksOf(response.headers, value)) {
      // The console resolves the addresses of services against the directory above its page.
      const link = new URL(target, place.endsWith('base_url') ? `${view.base}/` : url).href
      if (!take(place, link, from) || known.has(link)) continue
      known.add(link)
      if (response.status === 308) {
        if (!(await isServed(link))) problems.push(`${from}: ${link} is answered with 404`)
      } else if (!place.endsWith('base_url')) await visit('GET', link)
    }
  }

  /** Follows a template with the values that the address of its own request has. */
  const checkRoute = async (route: string, url: string, from: string, value: unknown) => {
    const target = new URL(route, url)
    const template = `${target.origin}${decodeURI(target.pathname)}`
    if (!take('x-route', template, from) || known.has(template)) return
    known.add(template)
    if (!(await isServed(filled(template)))) problems.push(`${from}: x-route ${route} is answered with 404`)
    if (!route.endsWith('/console/ticket') || !isTicket(value)) return
    const [base] = url.split('/console/ticket')
    const opened = view.route(`${base}/console/ws?ticket=${value.ticket}`)
    const socket = new WebSocket(opened.url.replace(/^http/, 'ws'), { headers: opened.headers })
    await once(socket, 'open')
    places.add('console/ws')
    socket.terminate()
  }

  const checkDocument = async ({ servers = [], paths }: OpenApiDocument, from: string) => {
    if (servers.length === 0) problems.push(`${from}: there are no servers`)
    for (const { url } of servers) {
      if (!take('servers.url', url, from)) continue
      const templates = Object.entries(paths).filter(([, { get }]) => !(get && '101' in get.responses))
      const checks = templates.map(async ([path]) => {
        if (!(await isServed(filled(`${url}${path}`)))) problems.push(`${from}: ${url}${path} is answered with 404`)
      })
      await Promise.all(checks)
    }
  }

  for (const { method, path, ...entry } of entries) await visit(method, `${view.base}${path}`, entry)
  return { problems, places }
}

const filled = (template: string): string => template.replaceAll(/\{[^}]+\}/g, 'x')

const isDocument = (value: unknown): value is OpenApiDocument =>
  typeof value === 'object' && value !== null && 'openapi' in value

const isTicket = (value: unknown): value is { readonly ticket: string } =>
  typeof value === 'object' && value !== null && 'ticket' in value
