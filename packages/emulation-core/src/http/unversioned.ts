const PREFIX = /^\/v1(?=\/)/

/** The same route at its path without `/v1`; its replies still name the template with it. */
export const unversioned = <R extends { readonly operation: { readonly path: `/${string}` } }>(route: R): R => ({
  ...route,
  operation: { ...route.operation, path: withoutVersion(route.operation.path) },
})

// What is left of a versioned path starts with a slash.
const withoutVersion = (path: string) => path.replace(PREFIX, '') as `/${string}`
