import type { FailureDraft } from '../output/draft.ts'
import type { Ledger } from '../report/ledger.ts'
import { itemsOf, type SourceNode } from '../source/source-node.ts'

/** What LiteLLM tries after the models of a name. */
export interface FallbackList {
  readonly from: string
  readonly to: readonly FallbackName[]
  readonly on: FailureDraft
  readonly node: SourceNode
}

export interface FallbackName {
  readonly name: string
  readonly node: SourceNode
}

/** Reads a list of maps such as `[{ small: [large] }]`. */
export function readFallbacks(node: SourceNode | undefined, on: FailureDraft, ledger: Ledger): readonly FallbackList[] {
  if (node === undefined) return []
  const lists: FallbackList[] = []
  for (const item of itemsOf(node)) {
    if (item.kind !== 'map') {
      if (!ledger.isHandled(item)) ledger.note(item, 'left out', 'An entry must be a map such as `{ small: [large] }`.')
      continue
    }
    for (const [from, names] of item.entries) lists.push({ from, on, node: names, to: readNames(names, ledger) })
  }
  return lists
}

/** Reads a list of names. */
export function readNames(node: SourceNode, ledger: Ledger): readonly FallbackName[] {
  return itemsOf(node).flatMap((item) => {
    if (item.kind === 'value' && typeof item.value === 'string') return [{ name: item.value, node: item }]
    ledger.note(item, 'left out', 'A fallback must be the name of a model. The gateway sends it the same request.')
    return []
  })
}
