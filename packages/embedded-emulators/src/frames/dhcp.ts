import type { Ipv4Address } from '../addresses/ipv4-address.ts'
import type { MacAddress } from '../addresses/mac-address.ts'
import { byteAt, readMac, readUint16, readUint32, writeMac, writeUint16, writeUint32 } from './bytes.ts'

export const dhcpPorts = { server: 67, client: 68 } as const

export const dhcpTypes = {
  discover: 1,
  offer: 2,
  request: 3,
  decline: 4,
  acknowledge: 5,
  refuse: 6,
  release: 7,
} as const

/** A DHCP message (RFC 2131) with the options that the virtual PC uses. Absent addresses are 0 on the wire. */
export interface Dhcp {
  readonly type: number
  readonly transaction: number
  readonly clientMac: MacAddress
  /** Requests a broadcast reply, as the client cannot receive unicast yet. */
  readonly broadcast?: boolean
  readonly clientAddress?: Ipv4Address
  /** The address that the server assigns. */
  readonly yourAddress?: Ipv4Address
  readonly mask?: Ipv4Address
  readonly router?: Ipv4Address
  readonly dnsServers?: readonly Ipv4Address[]
  readonly hostName?: string
  readonly domainName?: string
  readonly requestedAddress?: Ipv4Address
  readonly leaseSeconds?: number
  readonly serverAddress?: Ipv4Address
  readonly renewSeconds?: number
  readonly rebindSeconds?: number
  readonly parameters?: readonly number[]
}

const codes = {
  mask: 1,
  router: 3,
  dnsServers: 6,
  hostName: 12,
  domainName: 15,
  requestedAddress: 50,
  leaseSeconds: 51,
  type: 53,
  serverAddress: 54,
  parameters: 55,
  renewSeconds: 58,
  rebindSeconds: 59,
} as const

const OPTIONS_AT = 240
const COOKIE = 0x63825363
const MIN_LENGTH = 300

function readOptions(message: Uint8Array): ReadonlyMap<number, Uint8Array> | undefined {
  const options = new Map<number, Uint8Array>()
  for (let at = OPTIONS_AT; at < message.length; ) {
    const code = byteAt(message, at)
    if (code === 0xff) return options
    if (code === 0) {
      at += 1
      continue
    }
    const end = at + 2 + byteAt(message, at + 1)
    if (end > message.length) return undefined
    if (!options.has(code)) options.set(code, message.subarray(at + 2, end))
    at = end
  }
  return options
}

const decoder = new TextDecoder('latin1')
const present = <K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } | Record<never, never> =>
  value === undefined ? {} : { [key]: value }

/** Returns `undefined` for a message that is truncated, not DHCP, or without a type. */
export function readDhcp(message: Uint8Array): Dhcp | undefined {
  if (message.length < OPTIONS_AT || readUint32(message, 236) !== COOKIE) return undefined
  if (byteAt(message, 1) !== 1 || byteAt(message, 2) !== 6) return undefined
  const options = readOptions(message)
  const type = options?.get(codes.type)?.[0]
  if (options === undefined || type === undefined) return undefined
  const long = (code: number) => {
    const value = options.get(code)
    return value === undefined || value.length < 4 ? undefined : readUint32(value, 0)
  }
  const longs = (code: number) => {
    const value = options.get(code)
    return value === undefined || value.length < 4
      ? undefined
      : Array.from({ length: Math.floor(value.length / 4) }, (_, index) => readUint32(value, 4 * index))
  }
  const text = (code: number) => {
    const value = options.get(code)
    return value === undefined ? undefined : decoder.decode(value)
  }
  const parameters = options.get(codes.parameters)
  return {
    type,
    transaction: readUint32(message, 4),
    clientMac: readMac(message, 28),
    ...((readUint16(message, 10) & 0x8000) === 0 ? {} : { broadcast: true }),
    ...present('clientAddress', readUint32(message, 12) || undefined),
    ...present('yourAddress', readUint32(message, 16) || undefined),
    ...present('mask', long(codes.mask)),
    ...present('router', longs(codes.router)?.[0]),
    ...present('dnsServers', longs(codes.dnsServers)),
    ...present('hostName', text(codes.hostName)),
    ...present('domainName', text(codes.domainName)),
    ...present('requestedAddress', long(codes.requestedAddress)),
    ...present('leaseSeconds', long(codes.leaseSeconds)),
    ...present('serverAddress', long(codes.serverAddress)),
    ...present('renewSeconds', long(codes.renewSeconds)),
    ...present('rebindSeconds', long(codes.rebindSeconds)),
    ...present('parameters', parameters === undefined ? undefined : [...parameters]),
  }
}

const longBytes = (values: readonly number[]): number[] =>
  values.flatMap((value) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255])

const option = (code: number, bytes: readonly number[] | undefined): number[] =>
  bytes === undefined ? [] : [code, bytes.length, ...bytes]

const longOption = (code: number, value: number | undefined): number[] =>
  option(code, value === undefined ? undefined : longBytes([value]))

const textOption = (code: number, text: string | undefined): number[] =>
  option(code, text === undefined ? undefined : Array.from(text, (letter) => letter.charCodeAt(0) & 255).slice(0, 255))

/** Pads to 300 bytes, which old relays expect. Truncates texts to 255 characters of Latin-1. */
export function writeDhcp(dhcp: Dhcp): Uint8Array {
  const options = [
    ...option(codes.type, [dhcp.type]),
    ...longOption(codes.serverAddress, dhcp.serverAddress),
    ...longOption(codes.requestedAddress, dhcp.requestedAddress),
    ...longOption(codes.leaseSeconds, dhcp.leaseSeconds),
    ...longOption(codes.renewSeconds, dhcp.renewSeconds),
    ...longOption(codes.rebindSeconds, dhcp.rebindSeconds),
    ...longOption(codes.mask, dhcp.mask),
    ...longOption(codes.router, dhcp.router),
    ...option(codes.dnsServers, dhcp.dnsServers === undefined ? undefined : longBytes(dhcp.dnsServers)),
    ...textOption(codes.hostName, dhcp.hostName),
    ...textOption(codes.domainName, dhcp.domainName),
    ...option(codes.parameters, dhcp.parameters),
    0xff,
  ]
  const message = new Uint8Array(Math.max(MIN_LENGTH, OPTIONS_AT + options.length))
  const reply = dhcp.type === dhcpTypes.offer || dhcp.type === dhcpTypes.acknowledge || dhcp.type === dhcpTypes.refuse
  message.set([reply ? 2 : 1, 1, 6, 0])
  writeUint32(message, 4, dhcp.transaction)
  writeUint16(message, 10, dhcp.broadcast === true ? 0x8000 : 0)
  writeUint32(message, 12, dhcp.clientAddress ?? 0)
  writeUint32(message, 16, dhcp.yourAddress ?? 0)
  writeMac(message, 28, dhcp.clientMac)
  writeUint32(message, 236, COOKIE)
  message.set(options, OPTIONS_AT)
  return message
}
