import { readFile } from 'node:fs/promises'

/**
 * Whether a UDP socket of this machine is bound to an IPv4 address and port. A socket that only sends to them does not
 * count.
 */
export async function isBound(address: string, port: number): Promise<boolean> {
  const table = await readFile('/proc/net/udp', 'utf8').catch(() => '')
  const isLittle = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1
  const bytes = address.split('.').map(Number)
  // The kernel prints the number as it is in memory.
  const digits = (isLittle ? bytes.toReversed() : bytes).map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const local = `${digits}:${port.toString(16).padStart(4, '0')}`
  // The second column is the address that a socket is bound to, the third the one that it is connected to.
  return table.split('\n').some((line) => line.trim().split(/\s+/)[1]?.toLowerCase() === local)
}
