const PREFIX = /^\/v1(?=\/)/

/** Copies a route to its path without `/v1`. `X-Route` in its replies keeps the version. */
export const unversioned = <R extends { readonly operation: { readonly path: `/${string}` } }>(route: R): R => ({
  ...route,
  operation: { ...route.operation, path: withoutVersion(route.operation.path) },
})

// A versioned path without its version starts with a slash.
const withoutVersion = (path: string) => path.replace(PREFIX, '') as `/${string}`
