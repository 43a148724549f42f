import { type AddressFamily, addressSet, networks, prefixBits } from './address-set.ts'
import { type ReadOwnAddresses, readOwnAddresses } from './own-addresses.ts'
import { allocatedNetworks, impossibleNetworks, loopbackNetworks, specialNetworks } from './special-networks.ts'

/** What instances of a lab may reach outside of it. */
export interface LabReach {
  /** The list that it was made from. */
  readonly entries: readonly string[]
  /** Whether the lab can reach any address of the family. */
  readonly families: Readonly<Record<AddressFamily, boolean>>
  /**
   * Whether names are resolved for the lab. A question to a resolver can reach every network, so it needs `internet`.
   */
  readonly names: boolean
  /** Whether an address is open. Uses the addresses of this machine that the last {@link refresh} has found. */
  allows(address: string, family: AddressFamily): boolean
  /** Reads the addresses of this machine again. */
  refresh(): Promise<void>
}

/** Replaces the sources of a {@link LabReach}. */
export interface LabReachOptions {
  /** Reads the addresses of this machine. @default those of the operating system */
  readonly ownAddresses?: ReadOwnAddresses
}

const INTERNET = 'internet'

/**
 * Creates the rule of what labs reach from a list of networks, addresses and `internet`.
 *
 * An address is open where an entry contains it. `internet` is every public address. The addresses of this machine,
 * its loopback networks included, are open only where an entry is that single address. The unspecified and IPv4-mapped
 * addresses are never open.
 *
 * @throws RangeError for an entry that is not a network, an address or `internet`
 */
export function labReach(
  entries: readonly string[],
  { ownAddresses = readOwnAddresses }: LabReachOptions = {},
): LabReach {
  const internet = entries.includes(INTERNET)
  const named = networks(entries.filter((entry) => entry !== INTERNET))
  const open = addressSet(named)
  const singles = addressSet(named.filter(({ family, prefix }) => prefix === prefixBits[family]))
  let own = addressSet([])

  const opens = (family: AddressFamily) => internet || named.some((network) => network.family === family)

  return {
    entries,
    families: { ipv4: opens('ipv4'), ipv6: opens('ipv6') },
    names: internet,
    allows: (address, family) => {
      if (impossibleNetworks.has(address, family)) return false
      if (singles.has(address, family)) return true
      if (own.has(address, family) || loopbackNetworks.has(address, family)) return false
      if (open.has(address, family)) return true
      return internet && allocatedNetworks.has(address, family) && !specialNetworks.has(address, family)
    },
    refresh: async () => {
      own = addressSet(networks(await ownAddresses()))
    },
  }
}
