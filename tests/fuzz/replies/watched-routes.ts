import type { Operation, Route, SocketOperation, SocketRoute } from '@trivium/http-contract'

/** The operation that a request reached, and how. */
export interface Reached {
  readonly id: string
  /** The declared method, in capitals. */
  readonly method: string
  readonly path: string
  /** `handshake`: the upgrade was accepted, and the WebSocket library answers from then on. */
  readonly as: 'operation' | 'refused-method' | 'description' | 'handshake'
}

export interface WatchedRoutes {
  readonly routes: readonly Route[]
  readonly sockets: readonly SocketRoute[]
  /** Returns the operation that was reached since the last `take`. */
  reached(): Reached | undefined
  take(): Reached | undefined
  /** Returns the faults of replies that could not be written since the previous call. */
  takeUnwritable(): readonly unknown[]
}

/** Wraps routes so that they report which of them was reached last. Requests must be sent one after the other. */
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
      refuseMethod: (method, allow, mount) => {
        reach(route.id, route.operation, 'refused-method')
        return route.refuseMethod(method, allow, mount)
      },
      describe: (allow, mount) => {
        reach(route.id, route.operation, 'description')
        return route.describe(allow, mount)
      },
      fail: (error, mount) => {
        unwritable.push(error)
        return route.fail(error, mount)
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
