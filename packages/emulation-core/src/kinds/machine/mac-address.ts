import type { MachineSettings } from './settings.ts'

const MAC = /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/i
const MULTICAST = 1
/** The bytes after the first, which has the bits for groups and for local addresses. */
const COUNTED = 2 ** 40

/** Whether the text is six bytes in hexadecimal with colons, and the address is not one of a group. */
export const isUnicastMac = (text: string): boolean =>
  MAC.test(text) && (Number.parseInt(text.slice(0, 2), 16) & MULTICAST) === 0

/**
 * Returns the address of an adapter of a machine: its custom one, or the one that follows from the machine's first
 * address by the number of the adapter. A machine without a first address has `0e`, then a hash of its id in four bytes,
 * and `00`: machines of several servers share none, except by a chance of one in 4 billion for each pair.
 */
export function machineMac(id: string, settings: MachineSettings, adapter: number): string {
  const custom = settings.customAdapters.find((other) => other.adapter === adapter)?.macAddress
  if (custom !== undefined) return custom.toLowerCase()
  const first = settings.macAddress === '' ? derived(id) : settings.macAddress.toLowerCase()
  const [head, ...rest] = first.split(':')
  const next = (Number.parseInt(rest.join(''), 16) + adapter) % COUNTED
  return [head, ...(next.toString(16).padStart(10, '0').match(/../g) ?? [])].join(':')
}

const derived = (id: string): string => `0e:${(hash(id.toLowerCase()).match(/../g) ?? []).join(':')}:00`

/** FNV-1a in 32 bits, mixed as MurmurHash3 ends, as 8 hexadecimal digits. */
function hash(text: string): string {
  let value = 0x811c9dc5
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193)
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return ((value ^ (value >>> 16)) >>> 0).toString(16).padStart(8, '0')
}
