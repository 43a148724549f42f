import type { Exchange, Reply } from './exchange.ts'
import { bySpecificity, type PathTemplate, parseTemplate } from './path-template.ts'
import { withoutBody } from './reply-without-body.ts'
import type { Route } from './route.ts'

/** All routes of one path, for a transport to mount. */
export interface RoutePath {
  /** The template of its first route. */
  readonly template: PathTemplate
  /** `lenient`: doubled slashes count as one, and a trailing slash is ignored. */
  readonly slashes: Route['slashes']
  /** By method, including HEAD and OPTIONS, which contracts do not declare. */
  readonly methods: ReadonlyMap<string, PathMethod>
  /** The value of an `allow` header: the keys of `methods`. */
  readonly allow: string
  /** Returns one of `methods`, or one that refuses the method. */
  readonly method: (name: string) => PathMethod
}

/** One method of a path. */
export interface PathMethod {
  /** The template of the method's own operation: two methods of a path may name a parameter differently. */
  readonly template: PathTemplate
  /** The route of its operation; absent for OPTIONS and for refused methods. */
  readonly route: Route | undefined
  /**
   * Answers a request as its route does. HEAD gets the reply of GET without its body, OPTIONS the allowed methods, and
   * a refused method the reply of `Failures.methodNotAllowed`.
   */
  readonly handle: (exchange: Exchange) => Promise<Reply>
  /** Returns the failure for a reply that could not be written. */
  readonly fail: (error: unknown) => Reply
}

/**
 * Groups routes by path. A path with a literal segment comes before one with a parameter in its place. Paths that
 * differ only in the names of their parameters are one path.
 *
 * @throws TypeError if two routes have the same method and path, routes of one path differ in `slashes`, or a template
 * is not valid
 */
export function pathRoutes(routes: readonly Route[]): readonly RoutePath[] {
  const groups = new Map<string, PathGroup>()
  for (const route of routes) {
    const template = parseTemplate(route.operation.path)
    const group = groups.get(template.shape)
    if (group) addRoute(group, template, route)
    else
      groups.set(template.shape, {
        template,
        first: route,
        routes: new Map([[route.operation.method, { template, route }]]),
      })
  }
  return [...groups.values()].map(toRoutePath).toSorted((one, other) => bySpecificity(one.template, other.template))
}

interface PathGroup {
  readonly template: PathTemplate
  readonly first: Route
  readonly routes: Map<string, { readonly template: PathTemplate; readonly route: Route }>
}

function addRoute({ first, routes }: PathGroup, template: PathTemplate, route: Route): void {
  const { method, path } = route.operation
  const taken = routes.get(method)
  if (taken) throw new TypeError(`'${taken.route.id}' and '${route.id}' are both ${method} ${path}`)
  if (first.slashes !== route.slashes) {
    throw new TypeError(`'${first.id}' and '${route.id}' share a path but not their rule for slashes`)
  }
  routes.set(method, { template, route })
}

const order = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

function toRoutePath({ template, first, routes }: PathGroup): RoutePath {
  const offered = order.filter((method) => method === 'OPTIONS' || routes.has(method === 'HEAD' ? 'GET' : method))
  const allow = offered.join(', ')
  const methods = new Map<string, PathMethod>()
  for (const method of offered) {
    const entry = routes.get(method === 'HEAD' ? 'GET' : method)
    if (entry) methods.set(method, methodOf(entry.template, entry.route, method === 'HEAD'))
    else methods.set(method, describing(template, first, allow))
  }
  const refusing = (name: string): PathMethod => ({
    template,
    route: undefined,
    handle: async () => {
      const refusal = first.refuseMethod(name, allow)
      return name === 'HEAD' ? withoutBody(refusal) : refusal
    },
    fail: first.fail,
  })
  return { template, slashes: first.slashes, methods, allow, method: (name) => methods.get(name) ?? refusing(name) }
}

const methodOf = (template: PathTemplate, route: Route, isHead: boolean): PathMethod => ({
  template,
  route,
  handle: isHead ? headWith(route) : route.handle,
  fail: isHead ? (error) => withoutBody(route.fail(error)) : route.fail,
})

const headWith =
  ({ handle, fail }: Route): Route['handle'] =>
  async (exchange) => {
    const reply = await handle(exchange)
    try {
      return withoutBody(reply)
    } catch (error) {
      return withoutBody(fail(error))
    }
  }

const describing = (template: PathTemplate, { describe, fail }: Route, allow: string): PathMethod => ({
  template,
  route: undefined,
  handle: async () => describe(allow),
  fail,
})
