import {
  type Closable,
  nameValues,
  type PathMethod,
  type PathTemplate,
  pathMatcher,
  pathRoutes,
  type Route,
  type RoutePath,
} from '@trivium/http-contract'
import { pathOf, type ResponseLifetime, responseLifetime, writeReply } from '@trivium/http-contract/node'
import {
  type ErrorRequestHandler,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from 'express'
import { ExpressExchange, namedParams } from './express-exchange.ts'

/**
 * Creates a router that serves the routes: `app.use('/prefix', expressRoutes(routes))`. A path without a route is
 * passed on to the host. A method that a path does not have is refused. The router reads bodies of any content type,
 * unless a parser of the host has read them. Each route is a native one, so `request.route.path` is its template.
 *
 * @throws TypeError as {@link pathRoutes} does
 *
 * @example
 * ```ts
 * import { expressRoutes } from '@trivium/express-adapter'
 * import { createGateway } from '@trivium/gateway-core'
 * import { gatewayRoutes } from '@trivium/gateway-core/http'
 * import { localProvider } from '@trivium/local-provider'
 * import express from 'express'
 *
 * const gateway = createGateway({ providers: [localProvider()] })
 * const app = express()
 * app.use('/ai', expressRoutes(gatewayRoutes(gateway)))
 * app.listen(3000, '127.0.0.1')
 * ```
 */
export function expressRoutes(routes: readonly Route<Request>[]): Router & Closable {
  const lifetime = responseLifetime()
  const router = Router({ caseSensitive: true, strict: true })
  const paths = pathRoutes(routes)
  for (const path of paths) {
    if (!hasRestParameter(path)) router.route(toExpressPath(path.template)).all(handlerOf(path, lifetime))
  }
  const lenient = paths.filter(({ slashes }) => slashes === 'lenient')
  if (lenient.length > 0) router.use(matchingHandler(lenient, lifetime))
  const match = matchingHandler(paths, lifetime)
  // Express fails for a path that it cannot decode. Such a parameter is passed as it was sent.
  const undecodable: ErrorRequestHandler = (error, request, response, next) => {
    if (error instanceof URIError) match(request, response, next)
    else next(error)
  }
  router.use(undecodable)
  return Object.assign(router, { close: lifetime.close })
}

// A native route would also match paths with doubled slashes that belong to other routes.
const hasRestParameter = ({ slashes, template }: RoutePath<Request>): boolean =>
  slashes === 'lenient' && template.segments.some(({ kind }) => kind === 'rest')

function toExpressPath({ segments }: PathTemplate): string {
  const parts = segments.map((segment) => {
    if (segment.kind === 'literal') return segment.text
    return segment.kind === 'rest' ? `*${segment.name}` : `:${segment.name}`
  })
  return `/${parts.join('/')}`
}

const handlerOf =
  ({ method, template }: RoutePath<Request>, lifetime: ResponseLifetime): RequestHandler =>
  (request, response, next) => {
    const found = method(request.method)
    answer(found, namedParams(request.params, template, found.template), lifetime, { request, response, next })
  }

// For paths that Express does not match itself, such as those with doubled and trailing slashes.
function matchingHandler(paths: readonly RoutePath<Request>[], lifetime: ResponseLifetime): RequestHandler {
  const match = pathMatcher(paths)
  return (request, response, next) => {
    const found = match(pathOf(request.url))
    if (!found) return next()
    const method = found.item.method(request.method)
    answer(method, nameValues(method.template, found.values), lifetime, { request, response, next })
  }
}

interface Asked {
  readonly request: Request
  readonly response: Response
  readonly next: NextFunction
}

function answer(
  { handle, fail }: PathMethod<Request>,
  params: Readonly<Record<string, string>>,
  lifetime: ResponseLifetime,
  { request, response, next }: Asked,
): void {
  lifetime.begin(request, response)
  const exchange = new ExpressExchange(request, response, params, lifetime.closing)
  handle(exchange).then((reply) => writeReply(response, reply, (error) => fail(error, exchange.mount)), next)
}
