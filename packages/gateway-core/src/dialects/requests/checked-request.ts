import type { Promisable } from 'type-fest'
import type { ClientHeaders } from '../answering/forwarded-headers.ts'
import type { JsonObject } from '../dialect.ts'

/** A request that the HTTP interface has checked, as its access rules have its caller. The service checks neither again. */
export class CheckedRequest<Body extends JsonObject> {
  readonly body: Body
  readonly raw: Uint8Array | undefined
  readonly headers: ClientHeaders
  readonly maySearch?: () => Promisable<boolean>

  constructor(body: Body, raw: Uint8Array | undefined, headers: ClientHeaders, maySearch?: () => Promisable<boolean>) {
    this.body = body
    this.raw = raw
    this.headers = headers
    if (maySearch) this.maySearch = maySearch
  }
}
