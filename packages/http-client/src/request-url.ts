import type { QueryValue } from './request-types.ts'

export interface UrlParts {
  readonly params?: Readonly<Record<string, string | number>> | undefined
  readonly query?: Readonly<Record<string, QueryValue>> | undefined
}

const PARAMETERS = /\{([A-Za-z_][A-Za-z0-9_]*)(\+?)\}/g

/** Builds the URL of a request. @throws TypeError if a parameter of the path is missing, empty, `.` or `..` */
export function requestUrl(baseUrl: string, path: string, { params = {}, query = {} }: UrlParts): string {
  const filled = path.replace(PARAMETERS, (_, name: string, rest: string) => {
    const value = String(params[name] ?? '')
    if (value === '') throw new TypeError(`The path ${path} needs a value for '${name}'`)
    return rest === '+' ? value.split('/').map(encodeSegment).join('/') : encodeSegment(value)
  })
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) if (item !== undefined) search.append(name, String(item))
  }
  const base = baseUrl.replace(/\/+$/, '')
  return search.size === 0 ? `${base}${filled}` : `${base}${filled}?${search}`
}

/** URL parsers resolve `.` and `..` in any encoding, so they cannot be sent. */
function encodeSegment(value: string): string {
  if (value === '.' || value === '..') throw new TypeError(`'${value}' cannot be a segment of a path`)
  return encodeURIComponent(value)
}
