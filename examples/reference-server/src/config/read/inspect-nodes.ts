import { type Alias, type Document, isAlias, isMap, isNode, isScalar, isSeq, type Node } from 'yaml'

/** The most anchors and aliases. */
const MAX_NAMES = 1000

/** The most values that aliases repeat. */
const MAX_REPEATED = 10_000

export class TooManyAliases extends Error {
  override readonly name = 'TooManyAliases'
}

/** What nodes say about each other. */
export interface Inspected {
  /** Aliases without an anchor before them. */
  readonly unknown: readonly Node[]
  /** Keys that their object has before. */
  readonly repeated: readonly Node[]
  /** What aliases stand for. */
  readonly targets: ReadonlyMap<Alias, Node>
}

/** Looks at each node once. @throws TooManyAliases */
export function inspectNodes({ contents }: Document.Parsed): Inspected {
  const unknown: Node[] = []
  const repeated: Node[] = []
  const targets = new Map<Alias, Node>()
  const anchors = new Map<string, Node>()
  const sizes = new Map<Node, number>()
  let names = 0
  let copies = 0

  function sizeOfAlias(alias: Alias): number {
    const target = anchors.get(alias.source)
    if (!target) {
      unknown.push(alias)
      return 1
    }
    targets.set(alias, target)
    const size = sizes.get(target) ?? 1 // an alias of what it is in
    copies += size
    return size
  }

  /** Returns how many values a node has, with those that aliases repeat. */
  function sizeOf(node: unknown): number {
    if (!isNode(node)) return 0
    const anchor = isAlias(node) ? undefined : node.anchor
    if (isAlias(node) || anchor !== undefined) names += 1
    if (anchor !== undefined) anchors.set(anchor, node)
    let size = 1
    if (isAlias(node)) size = sizeOfAlias(node)
    else if (isSeq(node)) for (const item of node.items) size += sizeOf(item)
    else if (isMap(node)) {
      const keys = new Set<unknown>()
      for (const { key, value } of node.items) {
        if (isScalar(key)) {
          if (keys.has(key.value)) repeated.push(key)
          keys.add(key.value)
        }
        size += sizeOf(key) + sizeOf(value)
      }
    }
    if (names > MAX_NAMES || copies > MAX_REPEATED) throw new TooManyAliases()
    if (anchor !== undefined) sizes.set(node, size)
    return size
  }

  sizeOf(contents)
  return { unknown, repeated, targets }
}
