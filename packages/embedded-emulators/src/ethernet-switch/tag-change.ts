import type { SwitchPortType } from '@trivium/emulation-core/ports'
import type { SwitchEnginePort } from './switch-port.ts'

/** How a frame arrived: without a relevant tag, with a VLAN tag on a trunk, or with a customer's tag on a qinq port. */
export type Arrival = 'untagged' | 'tagged' | 'customer'

/** What happens to the outer tag when the frame leaves. */
export type TagChange = 'drop' | 'keep' | 'push' | 'pop'

type Rule = (out: SwitchEnginePort, vlan: number) => TagChange

const rules: Readonly<Record<Arrival, Readonly<Record<SwitchPortType, Rule>>>> = {
  untagged: {
    access: () => 'keep',
    dot1q: (out, vlan) => (out.vlan === vlan ? 'keep' : 'push'),
    qinq: () => 'drop',
  },
  tagged: {
    access: () => 'pop',
    dot1q: (out, vlan) => (out.vlan === vlan ? 'pop' : 'keep'),
    qinq: (out, vlan) => (out.vlan === vlan ? 'pop' : 'drop'),
  },
  customer: {
    access: () => 'drop',
    dot1q: () => 'push',
    qinq: (out, vlan) => (out.vlan === vlan ? 'keep' : 'drop'),
  },
}

/** The transmit rules of an Ethernet switch with access, dot1q and qinq ports, for a frame of the VLAN. */
export const tagChange = (arrival: Arrival, out: SwitchEnginePort, vlan: number): TagChange =>
  rules[arrival][out.type](out, vlan)
