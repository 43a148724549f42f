import { Refusal } from '@trivium/emulation-core/ports'

/** The names of cards that clients use, with those of the command line. */
const cards: Readonly<Record<string, string>> = {
  'PCnet-PCI II (Am79C970A)': 'Am79C970A',
  'PCNet-FAST III (Am79C973)': 'Am79C973',
  'Intel PRO/1000 MT Desktop (82540EM)': '82540EM',
  'Intel PRO/1000 T Server (82543GC)': '82543GC',
  'Intel PRO/1000 MT Server (82545EM)': '82545EM',
  'Paravirtualized Network (virtio-net)': 'virtio',
}

/** The name of a card for `VBoxManage`. Throws a `not-allowed` refusal for other names. */
export function networkCard(adapterType: string): string {
  const card = Object.hasOwn(cards, adapterType) ? cards[adapterType] : undefined
  if (card !== undefined) return card
  throw new Refusal(
    'not-allowed',
    `Adapter type '${adapterType}' is not supported. Use one of ${Object.keys(cards).join(', ')}.`,
  )
}
