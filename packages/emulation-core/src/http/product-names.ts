import { parseBody, type Reply, type RequestBody, type Route, type SocketRoute } from '@trivium/http-contract'
import type { WireKind } from './kinds/kind-names.ts'
import { productMachineOperations } from './kinds/product-machine.ts'

/** The kinds that clients of the original server know under the name of a product. */
type ProductKind = Exclude<WireKind, 'nat' | 'cloud' | 'container'>

const products: Readonly<Record<ProductKind, string>> = {
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

const isProductKind = (name: string): name is ProductKind => Object.hasOwn(products, name)

const productPath = (path: `/${string}`): `/${string}` =>
  // The leading slash stays when a segment is replaced.
  path.replace(KIND_SEGMENT, (found, kind: string) =>
    isProductKind(kind) ? `/${products[kind]}` : found,
  ) as `/${string}`

/** Copies the routes whose paths name a kind, with the name of its product in the path. */
export const productRoutes = <Host>(routes: readonly Route<Host>[]): readonly Route<Host>[] =>
  routes.filter(({ operation }) => KIND_SEGMENT.test(operation.path)).map(productRoute)

export const productSockets = <Host>(routes: readonly SocketRoute<Host>[]): readonly SocketRoute<Host>[] =>
  routes
    .filter(({ operation }) => KIND_SEGMENT.test(operation.path))
    .map((route) => ({
      ...route,
      operation: { ...route.operation, path: productPath(route.operation.path) },
      accept: async (exchange) => {
        const verdict = await route.accept(exchange)
        return 'reply' in verdict ? { reply: toProduct(verdict.reply, route.operation.path) } : verdict
      },
    }))

function productRoute<Host>(route: Route<Host>): Route<Host> {
  const { path: neutralPath } = route.operation
  const path = productPath(neutralPath)
  return {
    ...route,
    operation: { ...route.operation, ...productMachineOperations[route.id], path },
    handle: async (exchange) => {
      const body = async (limit: number) => fromProduct(await exchange.body(limit))
      const { method, params, query, headers, remoteAddress, closing } = exchange
      const neutral = {
        method,
        params,
        query,
        headers,
        remoteAddress,
        closing,
        body,
        get host() {
          return exchange.host
        },
        get mount() {
          return exchange.mount
        },
        get signal() {
          return exchange.signal
        },
      }
      return toProduct(await route.handle(neutral), neutralPath)
    },
    refuseMethod: (method, allow, mount) => toProduct(route.refuseMethod(method, allow, mount), neutralPath),
    describe: (allow, mount) => toProduct(route.describe(allow, mount), neutralPath),
    fail: (error, mount) => toProduct(route.fail(error, mount), neutralPath),
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

/** Words a template as the original does in `X-Route`, which some of its clients compare. */
const productTemplate = (path: `/${string}`): string =>
  productPath(path).replaceAll(/\{(adapter_number|port_number)\}/g, '{$1:\\d+}')

/** @param path the neutral template, with which the route of the reply ends */
function toProduct(reply: Reply, path: `/${string}`): Reply {
  const route = reply.headers['x-route']
  const headers =
    route === undefined
      ? reply.headers
      : { ...reply.headers, 'x-route': `${route.slice(0, route.length - path.length)}${productTemplate(path)}` }
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
