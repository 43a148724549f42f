import { type Instance, instanceParams } from './instance.ts'

/** Where a cable goes in. */
export interface Port {
  readonly adapter: number
  readonly port: number
  /** Short, as it stands beside the port: `e0`. */
  readonly label: string
}

/** Tells ports of one instance apart. */
export const portKey = ({ adapter, port }: Pick<Port, 'adapter' | 'port'>): string => `${adapter}/${port}`

const FEWEST_SWITCH_PORTS = 8
const PORTS_OF_A_ROUTER_ADAPTER = 4

/** @param cabled port numbers in use: a switch has as many ports as one wants, and always shows a free one */
export function portsOf(instance: Instance, cabled: readonly number[]): readonly Port[] {
  switch (instance.kind) {
    case 'emu3':
      return [{ adapter: 0, port: 0, label: 'e0' }]
    case 'emu1':
    case 'emu4':
      return count(instance.wire.adapters).map((adapter) => ({ adapter, port: 0, label: `e${adapter}` }))
    case 'emu2': {
      const { ethernet_adapters: ethernet, serial_adapters: serial } = instance.wire
      return count(ethernet + serial).flatMap((adapter) =>
        count(PORTS_OF_A_ROUTER_ADAPTER).map((port) => ({
          adapter,
          port,
          label: `${adapter < ethernet ? 'e' : 's'}${adapter}/${port}`,
        })),
      )
    }
    case 'emu5': {
      const known = new Set([...instance.wire.ports.map(({ port }) => port), ...cabled])
      for (let port = 1; port <= FEWEST_SWITCH_PORTS; port += 1) known.add(port)
      const inUse = new Set(cabled)
      if ([...known].every((port) => inUse.has(port))) known.add(Math.max(...known) + 1)
      return [...known].toSorted((one, other) => one - other).map((port) => ({ adapter: 0, port, label: String(port) }))
    }
  }
}

const count = (length: number): readonly number[] => Array.from({ length }, (_none, index) => index)

/** The parameters of a NIC's paths. */
export const portParams = (
  instance: Pick<Instance, 'kind' | 'id' | 'projectId'>,
  { adapter, port }: Pick<Port, 'adapter' | 'port'>,
): Readonly<Record<string, string | number>> => ({
  ...instanceParams(instance),
  ...(instance.kind === 'emu5' ? {} : { adapter_number: adapter }),
  port_number: port,
})

/** Serial ports of a router carry no Ethernet. */
export const dataLinkTypeOf = (instance: Instance, { adapter }: Pick<Port, 'adapter'>): string =>
  instance.kind === 'emu2' && adapter >= instance.wire.ethernet_adapters ? 'DLT_C_HDLC' : 'DLT_EN10MB'
