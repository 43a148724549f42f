import { Refusal } from '@trivium/emulation-core/ports'

/** Network cards that plug into a PCI bus. */
const cards: ReadonlySet<string> = new Set([
  'e1000',
  'e1000-82544gc',
  'e1000-82545em',
  'e1000e',
  'i82550',
  'i82551',
  'i82557a',
  'i82557b',
  'i82557c',
  'i82558a',
  'i82558b',
  'i82559a',
  'i82559b',
  'i82559c',
  'i82559er',
  'i82562',
  'i82801',
  'igb',
  'ne2k_pci',
  'pcnet',
  'rtl8139',
  'tulip',
  'virtio-net-pci',
  'virtio-net-pci-non-transitional',
  'virtio-net-pci-transitional',
  'vmxnet3',
])

const aliases: Readonly<Record<string, string>> = { virtio: 'virtio-net-pci' }

/** The name of a card for QEMU. Refuses other values, which could attach devices of the host. */
export function networkCard(adapterType: string): string {
  const card = Object.hasOwn(aliases, adapterType) ? aliases[adapterType] : adapterType
  if (card !== undefined && cards.has(card)) return card
  throw new Refusal(
    'not-allowed',
    `Adapter type '${adapterType}' is not supported. Use one of ${[...cards].join(', ')}.`,
  )
}
