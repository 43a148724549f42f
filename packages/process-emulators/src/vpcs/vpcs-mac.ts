import { createHash } from 'node:crypto'
import { type EmulatedInstance, Refusal } from '@trivium/emulation-core/ports'

const PREFIX = '00:50:79:66:68:'

/** Refuses an address of which VPCS cannot set a byte. */
export function requireVpcsMac(address: string): void {
  if (address.startsWith(PREFIX)) return
  throw new Refusal(
    'unsupported',
    `VPCS sets only the last byte of a MAC address: it must be ${PREFIX}00 to ${PREFIX}ff, not ${address}.`,
  )
}

/**
 * The last byte of the MAC address. Without a chosen one it is unique among the first 256 PCs of a project, and begins
 * at a number of the project, so that projects of two servers that are joined seldom have the same.
 */
export const macByteOf = ({
  projectId,
  slot = 0,
  settings: { macAddress },
}: Pick<EmulatedInstance<'virtual-pc'>, 'projectId' | 'slot' | 'settings'>): number =>
  macAddress === undefined
    ? (slot + createHash('sha256').update(projectId).digest().readUInt8(0)) % 256
    : Number.parseInt(macAddress.slice(PREFIX.length), 16)
