import type { Kind } from '../../index.ts'

/** What each kind is called on the wire. */
export const wireKinds = {
  machine: 'emu1',
  router: 'emu2',
  'virtual-pc': 'emu3',
  'desktop-vm': 'emu4',
  'ethernet-switch': 'emu5',
} as const satisfies Record<Kind, string>

export type WireKind = (typeof wireKinds)[Kind]

/** As messages speak of one: `emu1 VM`, `emu5 device`. */
export const kindNoun = (kind: Kind): string => `${wireKinds[kind]} ${kind === 'ethernet-switch' ? 'device' : 'VM'}`
