import { Refusal } from '@trivium/emulation-core/ports'

/** Network cards of the chipsets of VirtualBox. */
const adaptersByChipset = { piix3: 8, other: 36 }

export interface AdapterLink {
  /** Counts from 0. VirtualBox counts from 1. */
  readonly adapter: number
  readonly card: string
  /** On 127.0.0.1, as `remotePort`. */
  readonly localPort: number
  readonly remotePort: number
  readonly cableConnected: boolean
}

/** The number of adapters of the chipset of a VM. 8 where the chipset is unknown. */
export const adapterLimit = (information: ReadonlyMap<string, string>): number =>
  information.get('chipset') === 'piix3' || !information.has('chipset')
    ? adaptersByChipset.piix3
    : adaptersByChipset.other

/** Throws a `Refusal` for adapters that have another attachment, and for more adapters than the VM can have. */
export function requireAdapters(
  information: ReadonlyMap<string, string>,
  { adapters, useAnyAdapter }: { readonly adapters: number; readonly useAnyAdapter: boolean },
): void {
  const most = adapterLimit(information)
  if (adapters > most) throw new Refusal('unsupported', `This VirtualBox VM can't have more than ${most} adapters.`)
  if (useAnyAdapter) return
  for (let number = 1; number <= adapters; number += 1) {
    const attachment = information.get(`nic${number}`) ?? 'none'
    const isOwn = attachment === 'generic' && information.get(`genericdrv${number}`) === 'UDPTunnel'
    if (attachment === 'none' || attachment === 'null' || isOwn) continue
    throw new Refusal(
      'unavailable',
      `Attachment (${attachment}) already configured on adapter ${number}. Set it to 'Not attached' to allow its use.`,
    )
  }
}

/** Arguments of `modifyvm` that attach an adapter to its link. */
export function attachParameters({
  adapter,
  card,
  localPort,
  remotePort,
  cableConnected,
}: AdapterLink): readonly string[] {
  const number = adapter + 1
  return [
    ...[`--nictrace${number}`, 'off', `--nictype${number}`, card],
    ...[`--nic${number}`, 'generic', `--nicgenericdrv${number}`, 'UDPTunnel'],
    ...[`--nicproperty${number}`, `sport=${localPort}`, `--nicproperty${number}`, 'dest=127.0.0.1'],
    ...[`--nicproperty${number}`, `dport=${remotePort}`],
    ...[`--cableconnected${number}`, cableConnected ? 'on' : 'off'],
  ]
}

/** Arguments of `modifyvm` that detach an adapter, so that {@link requireAdapters} accepts it again. */
export function detachParameters(adapter: number): readonly string[] {
  const number = adapter + 1
  return [`--nictrace${number}`, 'off', `--cableconnected${number}`, 'off', `--nic${number}`, 'null']
}
