import { totalmem } from 'node:os'
import { Refusal } from '@trivium/emulation-core/ports'

/** What the host has. */
export const hostMegabytes = (): number => Math.floor(totalmem() / 2 ** 20)

/** Rejects with `not-allowed` what is more than one instance may have. */
export function requireMemory(megabytes: number, limit: number): void {
  if (megabytes <= limit) return
  throw new Refusal(
    'not-allowed',
    `This server gives an instance no more than ${limit} MB of memory, not ${megabytes} MB`,
  )
}
