import type { Operation, Route, SocketOperation, SocketRoute } from '@trivium/http-contract'

/** Which operation a request reached, if any, and as what. */
export interface Reached {
  readonly id: string
  /** As it is declared, in capitals. */
  readonly method: string
  readonly path: string
  /** `handshake`: a socket that was granted, so that what follows is between the client and the protocol. */
  readonly as: 'operation' | 'refused-method' | 'description' | 'handshake'
}

export interface WatchedRoutes {
  readonly routes: readonly Route[]
  readonly sockets: readonly SocketRoute[]
  /** What was reached since it was taken. */
  reached(): Reached | undefined
  take(): Reached | undefined
  /** Replies that could not be written, since it was asked before. */
  takeUnwritable(): readonly unknown[]
}

/** Routes that tell which of them was reached last. Requests must come one after the other. */
export function watchRoutes(routes: readonly Route[], sockets: readonly SocketRoute[]): WatchedRoutes {
  let reached: Reached | undefined
  let unwritable: unknown[] = []
  const reach = (id: string, { method, path }: Pick<Operation, 'method' | 'path'>, as: Reached['as']) => {
    reached = { id, method, path: path.replaceAll('+}', '}'), as }
  }
  const reachSocket = (id: string, { path }: SocketOperation, as: Reached['as']) =>
    reach(id, { method: 'GET', path }, as)
  return {
    routes: routes.map((route) => ({
      ...route,
      handle: (exchange) => {
        reach(route.id, route.operation, 'operation')
        return route.handle(exchange)
      },
      refuseMethod: (method, allow) => {
        reach(route.id, route.operation, 'refused-method')
        return route.refuseMethod(method, allow)
      },
      describe: (allow) => {
        reach(route.id, route.operation, 'description')
        return route.describe(allow)
      },
      fail: (error) => {
        unwritable.push(error)
        return route.fail(error)
      },
    })),
    sockets: sockets.map((route) => ({
      ...route,
      accept: async (exchange) => {
        reachSocket(route.id, route.operation, 'operation')
        const verdict = await route.accept(exchange)
        if ('open' in verdict) reachSocket(route.id, route.operation, 'handshake')
        return verdict
      },
    })),
    reached: () => reached,
    take() {
      const taken = reached
      reached = undefined
      return taken
    },
    takeUnwritable() {
      const taken = unwritable
      unwritable = []
      return taken
    },
  }
}
