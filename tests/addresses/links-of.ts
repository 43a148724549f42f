/** An address in an answer. */
export interface Link {
  /** The name of its header, or the path of its member, such as `_links.next.href`. */
  readonly place: string
  readonly target: string
}

/** The `location` of a project is a directory of the host. */
const NAMES = new Set(['href', 'url', 'base_url'])

const IS_ADDRESS = /^(?:\/|\.{1,2}\/|https?:)/

/** Returns the addresses in the headers and in the JSON of an answer. Members of lists have the same place. */
export function linksOf(headers: Headers, body: unknown): readonly Link[] {
  const found: Link[] = []
  const location = headers.get('location')
  if (location !== null) found.push({ place: 'location', target: location })
  for (const [, target = ''] of (headers.get('link') ?? '').matchAll(/<([^>]*)>/g))
    found.push({ place: 'link', target })
  const visit = (value: unknown, place: readonly string[]): void => {
    if (Array.isArray(value)) for (const one of value) visit(one, place)
    else if (typeof value === 'object' && value !== null) {
      for (const [name, part] of Object.entries(value)) {
        if (typeof part === 'string' && NAMES.has(name) && IS_ADDRESS.test(part)) {
          found.push({ place: [...place, name].join('.'), target: part })
        } else visit(part, [...place, name])
      }
    }
  }
  visit(body, [])
  return found
}
