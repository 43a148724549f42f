/** The directory that contains the console, under any prefix: `/` for a page at `/console/`. */
export const consoleRoot = new URL('..', document.baseURI)

/** Resolves an address against that directory, without a slash at its end. */
export const baseUrlOf = (address: string): string => new URL(address, consoleRoot).href.replace(/\/+$/, '')
