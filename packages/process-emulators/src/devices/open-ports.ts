import { readFile } from 'node:fs/promises'

/** Whether a UDP socket of this machine is bound to an IPv4 address and port. */
export async function isBound(address: string, port: number): Promise<boolean> {
  const table = await readFile('/proc/net/udp', 'utf8').catch(() => '')
  const isLittle = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1
  const bytes = address.split('.').map(Number)
  // The kernel prints the number as it is in memory.
  const digits = (isLittle ? bytes.toReversed() : bytes).map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return table.toLowerCase().includes(` ${digits}:${port.toString(16).padStart(4, '0')} `)
}
