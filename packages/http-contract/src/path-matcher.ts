import type { PathTemplate } from './path-template.ts'

/** An item that is found by its path. */
export interface Matchable {
  readonly template: PathTemplate
  /** `lenient`: doubled slashes count as one, and a trailing slash is ignored. */
  readonly slashes: 'exact' | 'lenient'
}

/** The item that matches a path. */
export interface PathMatch<Item> {
  readonly item: Item
  /** The decoded values of the template's parameters, in its order. */
  readonly values: readonly string[]
}

/**
 * Creates a function that finds the item for a path, given as it was sent and without the query. A literal segment
 * takes precedence over a parameter, and a parameter over the rest. The empty path is `/`; another path without a
 * leading slash matches nothing. A parameter and a rest match no empty text. A value with an invalid percent-encoding
 * is returned as it was sent.
 */
export function pathMatcher<Item extends Matchable>(
  items: readonly Item[],
): (path: string) => PathMatch<Item> | undefined {
  const fixed = new Map<string, PathMatch<Item>>()
  const exact = newNode<Item>()
  const lenient = newNode<Item>()
  let anyLenient = false
  for (const item of items) {
    const { template, slashes } = item
    if (slashes === 'lenient') anyLenient = true
    if (template.names.length === 0) fixed.set(template.source, { item, values: [] })
    addTo(slashes === 'lenient' ? lenient : exact, item)
  }
  return (path) => {
    const found = fixed.get(path)
    if (found) return found
    if (path !== '' && !path.startsWith('/')) return undefined
    const segments = path.length < 2 ? [] : path.slice(1).split('/')
    const match = find(exact, segments)
    if (match || !anyLenient) return match
    const present = segments.filter((segment) => segment !== '')
    return find(lenient, present)
  }
}

interface PathNode<Item> {
  readonly literals: Map<string, PathNode<Item>>
  parameter: PathNode<Item> | undefined
  rest: Item | undefined
  item: Item | undefined
}

const newNode = <Item>(): PathNode<Item> => ({
  literals: new Map(),
  parameter: undefined,
  rest: undefined,
  item: undefined,
})

function addTo<Item extends Matchable>(root: PathNode<Item>, item: Item): void {
  let node = root
  for (const segment of item.template.segments) {
    if (segment.kind === 'rest') {
      node.rest ??= item
      return
    }
    if (segment.kind === 'parameter') {
      node.parameter ??= newNode()
      node = node.parameter
    } else if (segment.text !== '' || item.slashes === 'exact') {
      const next = node.literals.get(segment.text) ?? newNode<Item>()
      node.literals.set(segment.text, next)
      node = next
    }
  }
  node.item ??= item
}

function find<Item>(root: PathNode<Item>, segments: readonly string[]): PathMatch<Item> | undefined {
  const values: string[] = []
  const item = search(root, segments, 0, values)
  return item && { item, values: values.reverse() }
}

// The values are collected on the way back, so that a failed branch leaves none.
function search<Item>(
  node: PathNode<Item>,
  segments: readonly string[],
  index: number,
  values: string[],
): Item | undefined {
  const segment = segments[index]
  if (segment === undefined) return node.item
  const next = node.literals.get(segment)
  const literal = next && search(next, segments, index + 1, values)
  if (literal) return literal
  if (segment !== '' && node.parameter) {
    const found = search(node.parameter, segments, index + 1, values)
    if (found) {
      values.push(decode(segment))
      return found
    }
  }
  if (!node.rest) return undefined
  const rest = segments.slice(index).join('/')
  if (rest === '') return undefined
  values.push(decode(rest))
  return node.rest
}

function decode(value: string): string {
  if (!value.includes('%')) return value
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
