import type { Exchange, Mount, Reply } from './exchange.ts'
import { bySpecificity, type PathTemplate, parseTemplate } from './path-template.ts'
import { withoutBody } from './reply-without-body.ts'
import type { Route } from './route.ts'

/** All routes of one path, for a transport to mount. */
export interface RoutePath<Host = unknown> {
  /** The template of its first route. */
  readonly template: PathTemplate
  /** `lenient`: doubled slashes count as one, and a trailing slash is ignored. */
  readonly slashes: Route['slashes']
  /** By method, including HEAD and OPTIONS, which contracts do not declare. */
  readonly methods: ReadonlyMap<string, PathMethod<Host>>
  /** The value of an `allow` header: the keys of `methods`. */
  readonly allow: string
  /** Returns one of `methods`, or one that refuses the method. */
  readonly method: (name: string) => PathMethod<Host>
}

/** One method of a path. */
export interface PathMethod<Host = unknown> {
  /** The template of the method's own operation: two methods of a path may name a parameter differently. */
  readonly template: PathTemplate
  /** The route of its operation; absent for OPTIONS and for refused methods. */
  readonly route: Route<Host> | undefined
  /**
   * Answers a request as its route does. HEAD gets the reply of GET without its body, OPTIONS the allowed methods, and
   * a refused method the reply of `Failures.methodNotAllowed`.
   */
  readonly handle: (exchange: Exchange<Host>) => Promise<Reply>
  /** Returns the failure for a reply that could not be written. */
  readonly fail: (error: unknown, mount: Mount) => Reply
}

/**
 * Groups routes by path. A path with a literal segment comes before one with a parameter in its place. Paths that
 * differ only in the names of their parameters are one path.
 *
 * @throws TypeError if two routes have the same method and path, routes of one path differ in `slashes`, or a template
 * is not valid
 */
export function pathRoutes<Host = unknown>(routes: readonly Route<Host>[]): readonly RoutePath<Host>[] {
  const groups = new Map<string, PathGroup<Host>>()
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

interface PathGroup<Host> {
  readonly template: PathTemplate
  readonly first: Route<Host>
  readonly routes: Map<string, { readonly template: PathTemplate; readonly route: Route<Host> }>
}

function addRoute<Host>({ first, routes }: PathGroup<Host>, template: PathTemplate, route: Route<Host>): void {
  const { method, path } = route.operation
  const taken = routes.get(method)
  if (taken) throw new TypeError(`'${taken.route.id}' and '${route.id}' are both ${method} ${path}`)
  if (first.slashes !== route.slashes) {
    throw new TypeError(`'${first.id}' and '${route.id}' share a path but not their rule for slashes`)
  }
  routes.set(method, { template, route })
}

const order = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

function toRoutePath<Host>({ template, first, routes }: PathGroup<Host>): RoutePath<Host> {
  const offered = order.filter((method) => method === 'OPTIONS' || routes.has(method === 'HEAD' ? 'GET' : method))
  const allow = offered.join(', ')
  const methods = new Map<string, PathMethod<Host>>()
  for (const method of offered) {
    const entry = routes.get(method === 'HEAD' ? 'GET' : method)
    if (entry) methods.set(method, methodOf(entry.template, entry.route, method === 'HEAD'))
    else methods.set(method, describing(template, first, allow))
  }
  const refusing = (name: string): PathMethod<Host> => ({
    template,
    route: undefined,
    handle: async ({ mount }) => {
      const refusal = first.refuseMethod(name, allow, mount)
      return name === 'HEAD' ? withoutBody(refusal) : refusal
    },
    fail: first.fail,
  })
  return { template, slashes: first.slashes, methods, allow, method: (name) => methods.get(name) ?? refusing(name) }
}

const methodOf = <Host>(template: PathTemplate, route: Route<Host>, isHead: boolean): PathMethod<Host> => ({
  template,
  route,
  handle: isHead ? headWith(route) : route.handle,
  fail: isHead ? (error, mount) => withoutBody(route.fail(error, mount)) : route.fail,
})

const headWith =
  <Host>({ handle, fail }: Route<Host>): Route<Host>['handle'] =>
  async (exchange) => {
    const reply = await handle(exchange)
    try {
      return withoutBody(reply)
    } catch (error) {
      return withoutBody(fail(error, exchange.mount))
    }
  }

const describing = <Host>(
  template: PathTemplate,
  { describe, fail }: Route<Host>,
  allow: string,
): PathMethod<Host> => ({
  template,
  route: undefined,
  handle: async ({ mount }) => describe(allow, mount),
  fail,
})
