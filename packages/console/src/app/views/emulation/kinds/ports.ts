import { type Instance, instanceParams } from './instance.ts'

/** A port of an instance. */
export interface Port {
  readonly adapter: number
  readonly port: number
  /** Shown at the port: `e0`. */
  readonly label: string
}

/** Returns a key that is unique in an instance. */
export const portKey = ({ adapter, port }: Pick<Port, 'adapter' | 'port'>): string => `${adapter}/${port}`

const MIN_SWITCH_PORTS = 8
const PORTS_PER_ROUTER_ADAPTER = 4

/**
 * Returns the ports of an instance.
 *
 * @param cabled the port numbers in use: a switch has any number of ports, and always shows a free one
 */
export function portsOf(instance: Instance, cabled: readonly number[]): readonly Port[] {
  switch (instance.kind) {
    case 'emu3':
    case 'nat':
      return [{ adapter: 0, port: 0, label: 'e0' }]
    case 'emu1':
    case 'emu4':
    case 'container':
      return range(instance.wire.adapters).map((adapter) => ({ adapter, port: 0, label: `e${adapter}` }))
    case 'emu2': {
      const { ethernet_adapters: ethernet, serial_adapters: serial } = instance.wire
      return range(ethernet + serial).flatMap((adapter) =>
        range(PORTS_PER_ROUTER_ADAPTER).map((port) => ({
          adapter,
          port,
          label: `${adapter < ethernet ? 'e' : 's'}${adapter}/${port}`,
        })),
      )
    }
    case 'cloud':
      return instance.wire.ports.map(({ port, device }) => ({ adapter: 0, port, label: device }))
    case 'emu5': {
      const known = new Set([...(instance.wire.ports ?? []).map(({ port }) => port), ...cabled])
      for (let port = 1; port <= MIN_SWITCH_PORTS; port += 1) known.add(port)
      const inUse = new Set(cabled)
      if ([...known].every((port) => inUse.has(port))) known.add(Math.max(...known) + 1)
      return [...known].toSorted((one, other) => one - other).map((port) => ({ adapter: 0, port, label: String(port) }))
    }
  }
}

const range = (length: number): readonly number[] => Array.from({ length }, (_none, index) => index)

/** Returns the path parameters of a port. */
export const portParams = (
  instance: Pick<Instance, 'kind' | 'id' | 'projectId'>,
  { adapter, port }: Pick<Port, 'adapter' | 'port'>,
): Readonly<Record<string, string | number>> => ({
  ...instanceParams(instance),
  ...(instance.kind === 'emu5' ? {} : { adapter_number: adapter }),
  port_number: port,
})

/** Returns the data link type of a capture. Serial ports of a router do not carry Ethernet. */
export const dataLinkTypeOf = (instance: Instance, { adapter }: Pick<Port, 'adapter'>): string =>
  instance.kind === 'emu2' && adapter >= instance.wire.ethernet_adapters ? 'DLT_C_HDLC' : 'DLT_EN10MB'
