/** How a client reaches a server: directly, or through a proxy that is simulated by the headers that it would add. */
export interface View {
  /** Scheme, name and port as the client sees them, and the path of the mount. */
  readonly base: string
  /** Returns the address on loopback, and the headers, of a request to an address that the client sees. */
  readonly route: (url: string) => { readonly url: string; readonly headers: Readonly<Record<string, string>> }
}

const forwarded = {
  'x-forwarded-for': '192.0.2.7',
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'public.example',
  'x-forwarded-prefix': '/outer',
}

/** A client of the server itself. */
export const direct = (origin: string, prefix: string): View => ({
  base: `${origin}${prefix}`,
  route: (url) => ({ url, headers: {} }),
})

/** A client that sends the headers of a proxy to a server that trusts none. */
export const untrusted = (origin: string, prefix: string): View => ({
  base: `${origin}${prefix}`,
  route: (url) => ({ url, headers: forwarded }),
})

const PUBLIC = 'https://public.example/outer'

/** A client of a proxy that ends TLS and removes a prefix of its own. Nothing is sent to its name. */
export const proxied = (origin: string, prefix: string): View => ({
  base: `${PUBLIC}${prefix}`,
  route: (url) => ({ url: url.replace(PUBLIC, origin), headers: forwarded }),
})
