import { natNetwork } from './nat-network.ts'

const address = (text: string) => text.split('.').map(Number)
const probe = [0x02, 0, 0, 0, 0, 1]

/** Asks for the gateway, from an address without an owner: the answer shows that the program carries frames. */
export const arpProbe = new Uint8Array([
  ...[0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
  ...probe,
  ...[0x08, 0x06, 0, 1, 0x08, 0, 6, 4, 0, 1],
  ...probe,
  ...[0, 0, 0, 0],
  ...[0, 0, 0, 0, 0, 0],
  ...address(natNetwork.ipv4.gateway),
])

/** Whether a frame is for the sender of the probe. */
export const answersProbe = (frame: Uint8Array): boolean => probe.every((byte, index) => frame[index] === byte)
