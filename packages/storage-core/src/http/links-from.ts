/** Returns the link of a record to itself. */
export type LinkTo = (path: string) => { readonly self: { readonly href: string } }

/** @param mountPath the path of the mount, with which every link begins */
export const linksFrom =
  (mountPath: string): LinkTo =>
  (path) => ({ self: { href: `${mountPath}${path}` } })
