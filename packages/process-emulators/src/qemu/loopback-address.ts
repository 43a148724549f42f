import { randomInt } from 'node:crypto'

/**
 * An address of 127.0.0.0/8 that nothing else uses and no web page can know: a NIC's socket takes frames from every sender.
 * Only Linux has all of them; elsewhere it is 127.0.0.1.
 */
export function drawLoopbackAddress(platform: NodeJS.Platform = process.platform): string {
  if (platform !== 'linux') return '127.0.0.1'
  // Without 127.0.0.x, where others listen, and the broadcast address.
  const host = randomInt(2 ** 8, 2 ** 24 - 1)
  return `127.${host >> 16}.${(host >> 8) & 255}.${host & 255}`
}
