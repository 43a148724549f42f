import type { Mount } from './exchange.ts'

/**
 * Returns the address of a mount from an option.
 *
 * @throws TypeError if the text is not an `http` or `https` URL, or has credentials, a query or a fragment
 */
export function publicMount(publicUrl: string): Mount {
  const url = URL.parse(publicUrl)
  const isUsable =
    (url?.protocol === 'http:' || url?.protocol === 'https:') &&
    url.username === '' &&
    url.password === '' &&
    !/[?#]/.test(publicUrl)
  if (!url || !isUsable) {
    throw new TypeError("'publicUrl' must be an http or https URL without credentials, a query and a fragment")
  }
  return { origin: url.origin, path: url.pathname.replace(/\/+$/, '') }
}
