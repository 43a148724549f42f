import type { Kind } from '../../index.ts'

/** The name of each kind on the wire. */
export const wireKinds = {
  machine: 'emu1',
  router: 'emu2',
  'virtual-pc': 'emu3',
  'desktop-vm': 'emu4',
  'ethernet-switch': 'emu5',
} as const satisfies Record<Kind, string>

export type WireKind = (typeof wireKinds)[Kind]

/** Names an instance of the kind in messages: `emu1 VM`, `emu5 device`. */
export const kindNoun = (kind: Kind): string => `${wireKinds[kind]} ${kind === 'ethernet-switch' ? 'device' : 'VM'}`
