import { parseBody, type Reply, type RequestBody, type Route, type SocketRoute } from '@trivium/http-contract'
import type { WireKind } from './kinds/kind-names.ts'
import { productMachineOperations } from './kinds/product-machine.ts'

const products: Readonly<Record<WireKind, string>> = {
  emu1: 'qemu',
  emu2: 'iou',
  emu3: 'vpcs',
  emu4: 'virtualbox',
  emu5: 'dynamips',
}

const NEUTRAL_FIELD = 'emu1_path'
const PRODUCT_FIELD = 'qemu_path'

/** Matches the path segment that names the kind. */
const KIND_SEGMENT = /\/(emu[1-5])(?=\/|$)/

const isWireKind = (name: string): name is WireKind => Object.hasOwn(products, name)

const productPath = (path: `/${string}`): `/${string}` =>
  // The leading slash stays when a segment is replaced.
  path.replace(KIND_SEGMENT, (found, kind: string) => (isWireKind(kind) ? `/${products[kind]}` : found)) as `/${string}`

/** Copies the routes whose paths name a kind, with the name of its product in the path. */
export const productRoutes = (routes: readonly Route[]): readonly Route[] =>
  routes.filter(({ operation }) => KIND_SEGMENT.test(operation.path)).map(productRoute)

export const productSockets = (routes: readonly SocketRoute[]): readonly SocketRoute[] =>
  routes
    .filter(({ operation }) => KIND_SEGMENT.test(operation.path))
    .map((route) => ({
      ...route,
      operation: { ...route.operation, path: productPath(route.operation.path) },
      accept: async (exchange) => {
        const verdict = await route.accept(exchange)
        return 'reply' in verdict ? { reply: toProduct(verdict.reply, productPath(route.operation.path)) } : verdict
      },
    }))

function productRoute(route: Route): Route {
  const path = productPath(route.operation.path)
  return {
    ...route,
    operation: { ...route.operation, ...productMachineOperations[route.id], path },
    handle: async (exchange) => {
      const body = async (limit: number) => fromProduct(await exchange.body(limit))
      const { method, params, query, headers, remoteAddress } = exchange
      const neutral = {
        method,
        params,
        query,
        headers,
        remoteAddress,
        body,
        get signal() {
          return exchange.signal
        },
      }
      return toProduct(await route.handle(neutral), path)
    },
    refuseMethod: (method, allow) => toProduct(route.refuseMethod(method, allow), path),
    describe: (allow) => toProduct(route.describe(allow), path),
    fail: (error) => toProduct(route.fail(error), path),
  }
}

/** Renames the product's field of a body to the neutral one, and the other way, so that the neutral one is refused. */
function fromProduct(body: RequestBody): RequestBody {
  if (body.kind === 'none') return body
  const value = parseBody(body)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { kind: 'parsed', value }
  const renamed = Object.entries(value).map(([name, part]) => [swapFieldName(name), part])
  return { kind: 'parsed', value: Object.fromEntries(renamed) }
}

function toProduct(reply: Reply, path: string): Reply {
  const headers = 'x-route' in reply.headers ? { ...reply.headers, 'x-route': path } : reply.headers
  if (reply.kind !== 'json') return { ...reply, headers }
  return { ...reply, headers, value: renamedValue(reply.value) }
}

function renamedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renamedValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      swapFieldName(name),
      name === 'message' && typeof part === 'string' ? productMessage(part) : part,
    ]),
  )
}

function swapFieldName(name: string): string {
  if (name === NEUTRAL_FIELD) return PRODUCT_FIELD
  return name === PRODUCT_FIELD ? NEUTRAL_FIELD : name
}

/** Swaps the field names in a message, as in the body. */
const productMessage = (message: string): string =>
  message.replaceAll(/'(emu1_path|qemu_path)'/g, (_found, name: string) => `'${swapFieldName(name)}'`)
