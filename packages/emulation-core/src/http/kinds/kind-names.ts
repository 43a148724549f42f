import type { Kind } from '../../index.ts'

/** The name of each kind on the wire. */
export const wireKinds = {
  machine: 'emu1',
  router: 'emu2',
  'virtual-pc': 'emu3',
  'desktop-vm': 'emu4',
  'ethernet-switch': 'emu5',
  nat: 'nat',
  cloud: 'cloud',
  container: 'container',
} as const satisfies Record<Kind, string>

export type WireKind = (typeof wireKinds)[Kind]

/** What instances of the kind are called in messages. */
const nouns: Readonly<Partial<Record<Kind, string>>> = {
  'ethernet-switch': 'device',
  nat: 'node',
  cloud: 'node',
  container: 'node',
}

export const nounOf = (kind: Kind): string => nouns[kind] ?? 'VM'

/** Names an instance of the kind in messages: `emu1 VM`, `emu5 device`, `nat node`. */
export const kindNoun = (kind: Kind): string => `${wireKinds[kind]} ${nounOf(kind)}`
