import { randomInt } from 'node:crypto'

/**
 * Draws a random address of 127.0.0.0/8, which no web page can guess: the socket of a NIC receives frames from every
 * sender. Other systems than Linux have only 127.0.0.1.
 */
export function drawLoopbackAddress(platform: NodeJS.Platform = process.platform): string {
  if (platform !== 'linux') return '127.0.0.1'
  // Excludes 127.0.0.x, where other programs listen, and the broadcast address.
  const host = randomInt(2 ** 8, 2 ** 24 - 1)
  return `127.${host >> 16}.${(host >> 8) & 255}.${host & 255}`
}
