import type { NicAddress } from '../links/nic-address.ts'

/** Lists the NICs of adapters with the same number of ports each. */
export const adapterNics = (adapters: number, portsEach: number): readonly NicAddress[] =>
  Array.from({ length: adapters * portsEach }, (_none, index) => ({
    adapter: Math.floor(index / portsEach),
    port: index % portsEach,
  }))

export function findAdapter({ adapter, port }: NicAddress, adapters: number, portsEach: number) {
  if (adapter >= adapters) return 'no-adapter'
  return port < portsEach ? 'found' : 'no-port'
}
