/** All kinds, in the order of their choice. */
export const kinds = ['emu3', 'emu5', 'nat', 'cloud', 'emu1', 'container', 'emu2', 'emu4'] as const

/** A kind of instance, by its name in the API. */
export type Kind = (typeof kinds)[number]

/** What users choose: a kind, or the hub, which is a type of `emu5`. */
export type Choice = Kind | 'hub'

/** All choices, in their order. */
export const choices: readonly Choice[] = kinds.flatMap((kind): readonly Choice[] =>
  kind === 'emu5' ? [kind, 'hub'] : [kind],
)

/** Returns the kind of a choice. */
export const kindOf = (choice: Choice): Kind => (choice === 'hub' ? 'emu5' : choice)

interface KindLabels {
  readonly name: string
  /** The default name without its number. */
  readonly prefix: string
  readonly description: string
}

/** The names and descriptions of the choices. */
export const kindLabels: Readonly<Record<Choice, KindLabels>> = {
  emu3: {
    name: 'Virtual PC',
    prefix: 'PC',
    description: 'A small computer with ping and trace. Needs no other program.',
  },
  emu5: {
    name: 'Ethernet switch',
    prefix: 'Switch',
    description: 'Connects instances, with VLANs. Needs no other program.',
  },
  nat: {
    name: 'NAT',
    prefix: 'NAT',
    description: 'Leads to the networks that the server allows, with DHCP and DNS. Needs QEMU.',
  },
  cloud: {
    name: 'Cloud',
    prefix: 'Cloud',
    description: 'Leads to TAP devices, bridges and interfaces that the server allows. Needs socat.',
  },
  hub: {
    name: 'Ethernet hub',
    prefix: 'Hub',
    description: 'Sends every frame to every other port. Needs no other program.',
  },
  emu1: { name: 'QEMU machine', prefix: 'Machine', description: 'A whole computer, from disk images or a kernel.' },
  container: {
    name: 'Container',
    prefix: 'Container',
    description: 'A program from an image that the server allows. Needs Podman or Docker.',
  },
  emu2: { name: 'Router image', prefix: 'Router', description: 'A router system that runs as a program.' },
  emu4: { name: 'VirtualBox VM', prefix: 'VM', description: 'A machine of VirtualBox on the server.' },
}

/** Whether instances of the kind can be suspended and resumed. */
export const canSuspend = (kind: Kind): boolean => kind === 'emu1' || kind === 'emu4' || kind === 'container'

/** Whether instances of the kind always run: a switch runs as long as it exists. */
export const isAlwaysOn = (kind: Kind): boolean => kind === 'emu5'

/** A kind whose instances are nodes in the API. */
export type NodeKind = 'nat' | 'cloud' | 'container'

export const isNode = (kind: Kind): kind is NodeKind => kind === 'nat' || kind === 'cloud' || kind === 'container'

/** A kind whose instances have consoles. */
export type TerminalKind = Exclude<Kind, 'emu5' | 'nat' | 'cloud'>
