/** The host's own request, as access rules see it. */
export interface FetchHost<Context = unknown> {
  readonly request: Request
  /** What the host passed on with the request, such as the context of its framework; `undefined` without it. */
  readonly context: Context | undefined
}

/** The second argument of a fetch handler: information about a request that the `Request` does not contain. */
export interface FetchPeer<Context = unknown> {
  /**
   * The address of the client: that of the connection, or the one that a trusted proxy reports. Wrong admin passwords
   * are counted for each address.
   *
   * @default unknown: wrong passwords delay all callers
   */
  readonly remoteAddress?: string | undefined
  /**
   * The body, where the host has read it before: a text or bytes as they were sent, or the parsed value. In Hono
   * `await context.req.text()`, which returns what `json()` has read.
   *
   * @default the body of the request is read
   */
  readonly body?: unknown
  /**
   * Scheme, name and port of the address at which the client reaches the host, such as `https://example.com`, where the
   * framework determines it: `url.origin` of SvelteKit.
   *
   * @default that of the request's URL
   */
  readonly origin?: string | undefined
  /**
   * What the framework has removed from the beginning of the path, such as `/ai` for `mount` of Hono.
   *
   * @default nothing
   */
  readonly basePath?: string | undefined
  /**
   * Whether the request comes from a proxy that the host trusts. Its `X-Forwarded-Proto`, `X-Forwarded-Host` and
   * `X-Forwarded-Prefix` are then parts of the addresses in answers. With `origin` only the last one is used.
   *
   * @default false
   */
  readonly isFromProxy?: boolean | undefined
  /** What access rules need of the host, such as the context of its framework. @default none */
  readonly context?: Context
}
