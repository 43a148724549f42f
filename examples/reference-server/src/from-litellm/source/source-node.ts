/** Where a value is in the files of the operator. */
export interface Place {
  /** The name of the file, as the operator wrote it. */
  readonly file: string
  /** From 1. */
  readonly line: number
  /** The keys that lead to it, such as `model_list[0].model_name`. */
  readonly path: string
}

export type SourceNode = SourceMap | SourceList | SourceValue

interface SourceBase {
  readonly place: Place
  /** What it was parsed from. Several places that an alias repeats have the same one. */
  readonly origin: unknown
}

export interface SourceMap extends SourceBase {
  readonly kind: 'map'
  readonly entries: ReadonlyMap<string, SourceNode>
}

export interface SourceList extends SourceBase {
  readonly kind: 'list'
  readonly items: readonly SourceNode[]
}

export interface SourceValue extends SourceBase {
  readonly kind: 'value'
  readonly value: string | number | boolean | null
}

/** The nodes directly within a node. */
export function partsOf(node: SourceNode): readonly SourceNode[] {
  if (node.kind === 'map') return [...node.entries.values()]
  return node.kind === 'list' ? node.items : []
}

/** The items of a list, or a single value as its only item, as LiteLLM accepts both in several places. */
export const itemsOf = (node: SourceNode): readonly SourceNode[] => (node.kind === 'list' ? node.items : [node])

/** The text of a value, `undefined` for every other node. */
export const textIn = (node: SourceNode | undefined): string | undefined =>
  node?.kind === 'value' && typeof node.value === 'string' ? node.value : undefined
