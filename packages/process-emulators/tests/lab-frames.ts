import { isIPv6 } from 'node:net'

/** A packet of a lab, to be wrapped in a frame. */
export interface Packet {
  readonly from?: string
  readonly to: string
  /** The number of the IP protocol. @default 17, UDP */
  readonly protocol?: number
  readonly payload?: Uint8Array
  /** Flags and offset of an IPv4 fragment. @default 0 */
  readonly fragment?: number
  readonly versionAndLength?: number
}

function bytesOf(address: string): number[] {
  if (!isIPv6(address)) return address.split('.').map(Number)
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const words = (text: string) => (text === '' ? [] : text.split(':').map((word) => Number.parseInt(word, 16)))
  const after = words(tail ?? '')
  const before = words(head)
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0)
  return [...before, ...zeros, ...after].flatMap((word) => [word >> 8, word & 255])
}

const ethernet = (type: number) => [0x52, 0x55, 192, 168, 122, 1, 2, 0, 0, 0, 0, 9, type >> 8, type & 255]

/** UDP or the start of TCP: ports, then a length of its own. */
export const ports = (source: number, destination: number, data: readonly number[] = []): Uint8Array =>
  new Uint8Array([
    ...[source >> 8, source & 255, destination >> 8, destination & 255],
    ...[(8 + data.length) >> 8, (8 + data.length) & 255, 0, 0],
    ...data,
  ])

/** Builds a frame of a lab, of the family of the destination. */
export function labFrame({
  from,
  to,
  protocol = 17,
  payload = ports(1024, 80),
  fragment = 0,
  ...rest
}: Packet): Uint8Array {
  if (isIPv6(to)) {
    const source = bytesOf(from ?? 'fec0::9')
    const header = [0x60, 0, 0, 0, payload.length >> 8, payload.length & 255, protocol, 64]
    return new Uint8Array([...ethernet(0x86dd), ...header, ...source, ...bytesOf(to), ...payload])
  }
  const length = 20 + payload.length
  const header = [rest.versionAndLength ?? 0x45, 0, length >> 8, length & 255, 0, 1, fragment >> 8, fragment & 255]
  const source = bytesOf(from ?? '192.168.122.15')
  return new Uint8Array([...ethernet(0x0800), ...header, 64, protocol, 0, 0, ...source, ...bytesOf(to), ...payload])
}

/** Inserts a VLAN tag. */
export const tagged = (frame: Uint8Array): Uint8Array =>
  new Uint8Array([...frame.subarray(0, 12), 0x81, 0, 0, 5, ...frame.subarray(12)])
