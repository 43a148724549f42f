import type { Exchange, ReplyHeaders } from './exchange.ts'

/** Returns the headers of an operation for a request, which are made again only for another path of the mount. */
export function mountHeaders<Operation>(
  operation: Operation,
  headers: ((operation: Operation, mountPath: string) => ReplyHeaders) | undefined,
): ((exchange: Pick<Exchange, 'mount'>) => ReplyHeaders) | undefined {
  if (!headers) return undefined
  let last: { readonly path: string; readonly headers: ReplyHeaders } | undefined
  return ({ mount: { path } }) => {
    if (last?.path !== path) last = { path, headers: headers(operation, path) }
    return last.headers
  }
}
