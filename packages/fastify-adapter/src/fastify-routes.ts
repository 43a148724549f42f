import {
  type CloseOptions,
  checkOptions,
  nameValues,
  type PathMatch,
  type PathMethod,
  type PathTemplate,
  pathMatcher,
  pathRoutes,
  type Route,
  type RoutePath,
} from '@trivium/http-contract'
import { pathOf, prefixMatcher, responseLifetime } from '@trivium/http-contract/node'
import type { FastifyInstance, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import { endTogether } from './end-together.ts'
import { FastifyExchange, type Mounted } from './fastify-exchange.ts'
import { sendReply } from './send-reply.ts'

/** Options of {@link fastifyRoutes}. */
export interface FastifyRoutesOptions extends CloseOptions {
  /**
   * Whether each path is a route of Fastify, so that hooks and metrics get its template. With `false` one route, `*`, has
   * all paths below the prefix, of which the plugin is then the only one with such a route: the three services start in
   * 0.2 s less, with 35 MB less. Other routes of the host below the prefix take precedence.
   *
   * @default true
   */
  readonly nativeRoutes?: boolean
}

/**
 * Creates a plugin that serves the routes: `fastify.register(fastifyRoutes(routes), { prefix: '/prefix' })`. A path
 * without a route is passed on to the host's not-found handler. A method that a path does not have is refused. Parsers
 * of the host do not run inside the plugin. Each path is a native route, so hooks and metrics get its template. When
 * Fastify closes, answers that have no end or wait end in `preClose`, others are cut off after `graceSeconds`, as are
 * connections with a part of a request, and `onClose` hooks run after that. Register it before the server listens.
 *
 * @throws TypeError for an option that does not exist, such as `prefix`, which `register` takes
 *
 * @example
 * ```ts
 * import { fastifyRoutes } from '@trivium/fastify-adapter'
 * import { createGateway } from '@trivium/gateway-core'
 * import { gatewayRoutes } from '@trivium/gateway-core/http'
 * import { localProvider } from '@trivium/local-provider'
 * import fastify from 'fastify'
 *
 * const gateway = createGateway({ providers: [localProvider()] })
 * const app = fastify()
 * app.register(fastifyRoutes(gatewayRoutes(gateway)), { prefix: '/ai' })
 * await app.listen({ port: 3000 })
 * ```
 */
export function fastifyRoutes(
  routes: readonly Route<FastifyRequest>[],
  options: FastifyRoutesOptions = {},
): FastifyPluginCallback {
  checkOptions('fastifyRoutes', options, { graceSeconds: true, nativeRoutes: true })
  const { nativeRoutes = true, ...closing } = options
  return (fastify, _options, done) => {
    const lifetime = responseLifetime()
    const mounted: Mounted = { prefixOf: prefixOfPlugin(fastify), lifetime }
    const end = endTogether(fastify, { ...closing, close: lifetime.close })
    fastify.addHook('preClose', (done) => {
      const closed = end()
      // After this hook Fastify either waits for the answers, or cuts all connections off.
      if (fastify.initialConfig.forceCloseConnections === true) void closed.then(() => done())
      else done()
    })
    fastify.removeAllContentTypeParsers()
    // Fastify caches the match of a pattern, but looks '*' up again for each request.
    // A hook of the host may have set the body before it is parsed.
    fastify.addContentTypeParser(/^/, ({ body }, payload, parsed) => parsed(null, body ?? payload))
    fastify.addHook('onRequest', replaceInvalidContentType)
    const paths = pathRoutes(routes)
    if (nativeRoutes) mountPaths(fastify, paths, mounted)
    else mountTogether(fastify, paths, mounted)
    done()
  }
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => void

const notFound: Handler = (_request, reply) => void reply.callNotFound()

// Fastify answers 415 to an invalid content type, and 400 to a QUERY without one, before a parser can accept it.
function replaceInvalidContentType(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  const type = request.raw.headers['content-type']
  const isRefused = type === undefined ? request.method === 'QUERY' : !MEDIA_TYPE.test(type)
  if (isRefused) request.headers = { 'content-type': 'application/octet-stream' }
  done()
}

const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/

function prefixOfPlugin(fastify: FastifyInstance): Mounted['prefixOf'] {
  const prefix = fastify.prefix.replace(/\/$/, '')
  const find = prefixMatcher(prefix)
  // Fastify matches other spellings too, such as other cases and doubled slashes. The number of segments is the same.
  const spelled = new RegExp(`^(?:/+[^/]+){${prefix.split('/').length - 1}}`)
  return (path) => find(path) ?? spelled.exec(path)?.[0] ?? prefix
}

function mountPaths(fastify: FastifyInstance, paths: readonly RoutePath<FastifyRequest>[], mounted: Mounted): void {
  const lenient = paths.filter(({ slashes }) => slashes === 'lenient')
  const otherwise = lenient.length > 0 ? matching(mounted, lenient) : notFound
  for (const path of paths) {
    if (!hasRestParameter(path)) mountPath(fastify, path, path.slashes === 'lenient' ? otherwise : notFound, mounted)
  }
  for (const url of wildcards(lenient)) mount(fastify, fastify.supportedMethods, url, otherwise)
}

function mountTogether(fastify: FastifyInstance, paths: readonly RoutePath<FastifyRequest>[], mounted: Mounted): void {
  const handler = matching(mounted, paths)
  for (const url of ['/', '/*']) mount(fastify, fastify.supportedMethods, url, handler)
}

function mountPath(
  fastify: FastifyInstance,
  path: RoutePath<FastifyRequest>,
  otherwise: Handler,
  mounted: Mounted,
): void {
  const { template, methods, method } = path
  for (const [name, declared] of methods) {
    if (declared.route === undefined || name === 'HEAD') continue
    const names = name === 'GET' ? ['GET', 'HEAD'] : [name]
    mount(fastify, names, toFastifyUrl(declared.template), nativeHandler(mounted, declared.template, method, otherwise))
  }
  const url = toFastifyUrl(template)
  const others = fastify.supportedMethods.filter((name) => {
    const declared = methods.get(name)
    if (declared) return declared.route === undefined
    return !fastify.hasRoute({ method: name, url: `${fastify.prefix}${url}` })
  })
  // The methods without an operation share a route, since each costs memory and time at the start.
  if (others.length > 0) mount(fastify, others, url, nativeHandler(mounted, template, method, otherwise))
}

const mount = (fastify: FastifyInstance, method: string[], url: string, handler: Handler) =>
  fastify.route({ method, url, handler, exposeHeadRoute: false })

function toFastifyUrl({ segments }: PathTemplate): string {
  const parts = segments.map((segment) => {
    if (segment.kind === 'literal') return segment.text
    return segment.kind === 'rest' ? '*' : `:${segment.name}`
  })
  return `/${parts.join('/')}`
}

function nativeHandler(
  mounted: Mounted,
  { segments }: PathTemplate,
  methodOf: RoutePath<FastifyRequest>['method'],
  otherwise: Handler,
): Handler {
  const rest = segments.find(({ kind }) => kind === 'rest')
  const restName = rest?.kind === 'rest' ? rest.name : undefined
  return (request, reply) => {
    // Fastify's parameters are strings by name, unless the host has installed its own router.
    const found = request.params as Readonly<Record<string, string>>
    // Fastify accepts an empty segment as a parameter.
    for (const name in found) if (found[name] === '') return otherwise(request, reply)
    const params = restName === undefined ? found : withRest(found, restName)
    answer(methodOf(request.method), params, mounted, request, reply)
  }
}

function withRest(
  { '*': rest = '', ...params }: Readonly<Record<string, string>>,
  name: string,
): Record<string, string> {
  return { ...params, [name]: rest }
}

/** A native route would also match paths with doubled slashes that belong to other routes. */
const hasRestParameter = ({ slashes, template }: RoutePath<FastifyRequest>): boolean =>
  slashes === 'lenient' && template.segments.some(({ kind }) => kind === 'rest')

/** The paths for requests to lenient routes that Fastify's own paths do not match. */
function wildcards(paths: readonly RoutePath<FastifyRequest>[]): Set<string> {
  return new Set(
    paths.map(({ template: { segments } }) => (segments[0]?.kind === 'literal' ? `/${segments[0].text}/*` : '/*')),
  )
}

function matching(mounted: Mounted, paths: readonly RoutePath<FastifyRequest>[]): Handler {
  const match: (path: string) => PathMatch<RoutePath<FastifyRequest>> | undefined = pathMatcher(paths)
  return (request, reply) => {
    const path = pathOf(request.raw.url)
    const found = match(path.slice(mounted.prefixOf(path).length))
    if (!found) return notFound(request, reply)
    const method = found.item.method(request.method)
    answer(method, nameValues(method.template, found.values), mounted, request, reply)
  }
}

function answer(
  { handle, fail }: PathMethod<FastifyRequest>,
  params: Readonly<Record<string, string>>,
  mounted: Mounted,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  mounted.lifetime.begin(request.raw, reply.raw)
  const exchange = new FastifyExchange(request, reply, params, mounted)
  handle(exchange).then(
    (done) => sendReply(reply, done, (error) => fail(error, exchange.mount)),
    (error) => reply.send(error),
  )
}
