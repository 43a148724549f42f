import { Refusal } from '@trivium/emulation-core/ports'

/** The product's chipsets: only the newer has more than 8 cards. */
const mostOfChipset = { piix3: 8, other: 36 }

export interface AdapterLink {
  /** From 0; the product counts from 1. */
  readonly adapter: number
  readonly card: string
  /** Both on 127.0.0.1. */
  readonly localPort: number
  readonly remotePort: number
  readonly cableConnected: boolean
}

export const mostAdapters = (information: ReadonlyMap<string, string>): number =>
  information.get('chipset') === 'piix3' || !information.has('chipset') ? mostOfChipset.piix3 : mostOfChipset.other

/** Rejects the adapters that someone uses for something else, and those that the VM can't have. */
export function requireAdapters(
  information: ReadonlyMap<string, string>,
  { adapters, useAnyAdapter }: { readonly adapters: number; readonly useAnyAdapter: boolean },
): void {
  const most = mostAdapters(information)
  if (adapters > most) throw new Refusal('unsupported', `This VirtualBox VM can't have more than ${most} adapters`)
  if (useAnyAdapter) return
  for (let number = 1; number <= adapters; number += 1) {
    const attachment = information.get(`nic${number}`) ?? 'none'
    const ours = attachment === 'generic' && information.get(`genericdrv${number}`) === 'UDPTunnel'
    if (attachment === 'none' || attachment === 'null' || ours) continue
    throw new Refusal(
      'unavailable',
      `Attachment (${attachment}) already configured on adapter ${number}. Please set it to 'Not attached' to allow its use.`,
    )
  }
}

/** Arguments of `modifyvm` that put an adapter on its link. */
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

/** Arguments of `modifyvm` that leave an adapter as it is found free the next time. */
export function detachParameters(adapter: number): readonly string[] {
  const number = adapter + 1
  return [`--nictrace${number}`, 'off', `--cableconnected${number}`, 'off', `--nic${number}`, 'null']
}
