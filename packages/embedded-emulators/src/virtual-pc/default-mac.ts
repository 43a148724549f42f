import { createHash } from 'node:crypto'
import type { MacAddress } from '../addresses/mac-address.ts'

/** The bit of an address that no manufacturer has assigned. */
const LOCALLY_ADMINISTERED = 0x020000000000

/** Derives an address from the id, so that those of two servers whose labs are joined differ. */
export const defaultMac = (id: string): MacAddress =>
  LOCALLY_ADMINISTERED + createHash('sha256').update(id).digest().readUIntBE(0, 5)
