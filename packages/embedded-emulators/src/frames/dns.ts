import type { Ipv4Address } from '../addresses/ipv4-address.ts'
import type { Ipv6Address } from '../addresses/ipv6-address.ts'
import { byteAt, readUint16, readUint32, readUint128, writeUint16 } from './bytes.ts'

export const DNS_PORT = 53

export const dnsTypes = { a: 1, aaaa: 28 } as const

/** The addresses of an answer, in the order of the message. The server resolves aliases. */
export interface DnsAnswer {
  readonly identification: number
  /** 0 means no error, 3 means that the name does not exist. */
  readonly responseCode: number
  readonly ipv4: readonly Ipv4Address[]
  readonly ipv6: readonly Ipv6Address[]
}

const HEADER_LENGTH = 12

/** Accepts dot-separated labels of 1 to 63 characters each, at most 253 characters in total. */
export const isDomainName = (name: string): boolean =>
  name.length <= 253 &&
  /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*\.?$/i.test(name)

/** Writes a query that requests recursion, for a name that {@link isDomainName} accepts. */
export function writeDnsQuery(identification: number, name: string, type: number): Uint8Array {
  const labels = name.replace(/\.$/, '').split('.')
  const query = new Uint8Array(HEADER_LENGTH + labels.reduce((length, label) => length + label.length + 1, 1) + 4)
  writeUint16(query, 0, identification)
  writeUint16(query, 2, 0x0100)
  writeUint16(query, 4, 1)
  let at = HEADER_LENGTH
  for (const label of labels) {
    query[at] = label.length
    at += 1
    for (const letter of label) {
      query[at] = letter.charCodeAt(0)
      at += 1
    }
  }
  writeUint16(query, at + 1, type)
  writeUint16(query, at + 3, 1)
  return query
}

/** The position after a name; compressed names end with their pointer. */
function afterName(message: Uint8Array, start: number): number {
  let at = start
  while (at < message.length) {
    const length = byteAt(message, at)
    if (length >= 0xc0) return at + 2
    if (length === 0) return at + 1
    at += length + 1
  }
  return at
}

/** Returns `undefined` for anything that is not an answer or is truncated. */
export function readDnsAnswer(message: Uint8Array): DnsAnswer | undefined {
  if (message.length < HEADER_LENGTH || (byteAt(message, 2) & 0x80) === 0) return undefined
  let at = HEADER_LENGTH
  for (let left = readUint16(message, 4); left > 0 && at < message.length; left -= 1) at = afterName(message, at) + 4
  const ipv4: Ipv4Address[] = []
  const ipv6: Ipv6Address[] = []
  for (let left = readUint16(message, 6); left > 0; left -= 1) {
    at = afterName(message, at)
    const dataAt = at + 10
    const length = readUint16(message, at + 8)
    if (dataAt + length > message.length) return undefined
    const type = readUint16(message, at)
    if (type === dnsTypes.a && length === 4) ipv4.push(readUint32(message, dataAt))
    if (type === dnsTypes.aaaa && length === 16) ipv6.push(readUint128(message, dataAt))
    at = dataAt + length
  }
  return { identification: readUint16(message, 0), responseCode: byteAt(message, 3) & 0xf, ipv4, ipv6 }
}
