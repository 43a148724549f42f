import type { NicAddress, PlugUdpOptions, UdpPlug, Wiring } from '@trivium/emulation-core/ports'

interface PluggedNic {
  readonly nic: NicAddress
  readonly plug: UdpPlug
}

export interface PluggedNics {
  readonly nics: readonly PluggedNic[]
  readonly unplug: () => Promise<void>
}

/** Attaches a process to all of these NICs, or to none when it rejects. */
export async function plugNics(
  wiring: Wiring,
  addresses: readonly NicAddress[],
  options?: PlugUdpOptions,
): Promise<PluggedNics> {
  const nics: PluggedNic[] = []
  const unplug = async () => {
    await Promise.all(nics.map(({ plug }) => plug.unplug()))
  }
  try {
    for (const nic of addresses) nics.push({ nic, plug: await wiring.plugUdp(nic, options) })
    return { nics, unplug }
  } catch (error) {
    await unplug()
    throw error
  }
}
