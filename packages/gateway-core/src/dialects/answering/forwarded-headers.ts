import type { Dialect } from '../dialect.ts'

/** Headers of a client, names in lower case. */
export type ClientHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** Those that an upstream of messages gets without an option of the host. */
const messagesHeaders: readonly string[] = ['anthropic-version', 'anthropic-beta']

const noHeaders: Readonly<Record<string, string>> = {}

const LONGEST_VALUE = 4096
const VALUE = /^[\t\x20-\x7e]*$/

/** Selects the headers of a client for an upstream. Values that are not visible ASCII are left out. */
export function forwardedHeaders(
  headers: ClientHeaders | undefined,
  dialect: Dialect,
  names: readonly string[],
): Readonly<Record<string, string>> {
  const all = dialect === 'messages' ? [...messagesHeaders, ...names] : names
  if (!headers || all.length === 0) return noHeaders
  const selected: Record<string, string> = {}
  for (const name of all) {
    const value = headers[name]
    const text = typeof value === 'string' ? value : value?.join(',')
    if (text !== undefined && text.length <= LONGEST_VALUE && VALUE.test(text)) selected[name] = text
  }
  return selected
}
