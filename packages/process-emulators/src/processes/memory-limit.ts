import { totalmem } from 'node:os'
import { Refusal } from '@trivium/emulation-core/ports'

/** The memory of the host in MiB. */
export const hostMegabytes = (): number => Math.floor(totalmem() / 2 ** 20)

/** Throws a `not-allowed` refusal for more memory than the limit of one instance. */
export function requireMemory(megabytes: number, limit: number): void {
  if (megabytes <= limit) return
  throw new Refusal(
    'not-allowed',
    `An instance on this server can have no more than ${limit} MB of memory, not ${megabytes} MB.`,
  )
}
