import type { Finding, Ledger } from '../report/ledger.ts'
import type { SourceMap } from '../source/source-node.ts'

/** What is reported about keys without a counterpart, by the name of the key. */
export type Notes = Readonly<Record<string, readonly [Finding, string]>>

/** Reports the keys of a section that are neither translated nor reported. */
export function noteKeys(section: SourceMap, notes: Notes, ledger: Ledger): void {
  for (const [name, node] of section.entries) {
    const note = Object.hasOwn(notes, name) ? notes[name] : undefined
    if (note && !ledger.isHandled(node)) ledger.note(node, note[0], note[1])
  }
}
