/** The directory in which the console lies, whatever prefix a host gives it: `/` for a page at `/console/`. */
export const consolePlace = new URL('..', document.baseURI)

/** A base address for clients: without the slash at its end. */
export const baseUrlOf = (address: string): string => new URL(address, consolePlace).href.replace(/\/+$/, '')
