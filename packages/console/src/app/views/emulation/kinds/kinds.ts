export const kinds = ['emu3', 'emu5', 'emu1', 'emu2', 'emu4'] as const

/** As the interface calls them. */
export type Kind = (typeof kinds)[number]

interface KindWords {
  readonly name: string
  /** What the first of them is called, but for its number. */
  readonly prefix: string
  readonly description: string
}

export const kindWords: Readonly<Record<Kind, KindWords>> = {
  emu3: { name: 'Virtual PC', prefix: 'PC', description: 'A small computer with ping and trace; needs nothing else.' },
  emu5: { name: 'Ethernet switch', prefix: 'Switch', description: 'Joins cables, with VLANs; needs nothing else.' },
  emu1: { name: 'QEMU machine', prefix: 'Machine', description: 'A whole computer, from disk images or a kernel.' },
  emu2: { name: 'Router image', prefix: 'Router', description: 'A router system that runs as a program.' },
  emu4: { name: 'VirtualBox VM', prefix: 'VM', description: 'A machine of VirtualBox on the server.' },
}

/** Kinds that can be suspended, and go on where they were. */
export const canSuspend = (kind: Kind): boolean => kind === 'emu1' || kind === 'emu4'

/** A switch runs for as long as it exists. */
export const isAlwaysOn = (kind: Kind): boolean => kind === 'emu5'
