import { expect, it } from 'vitest'
import { networkCard } from './network-card.ts'

it.each([
  ['e1000', 'e1000'],
  ['virtio', 'virtio-net-pci'],
  ['vmxnet3', 'vmxnet3'],
])('maps %s to the card %s', (type, card) => {
  expect(networkCard(type)).toBe(card)
})

it.each([
  'vfio-pci,host=01:00.0',
  'e1000,romfile=/etc/shadow',
  'usb-host',
  '__proto__',
  '',
])('refuses the adapter type %j', (type) => {
  expect(() => networkCard(type)).toThrow(expect.objectContaining({ reason: 'not-allowed' }))
})
