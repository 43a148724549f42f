import { createHash } from 'node:crypto'

/** The address of an adapter: locally administered, with 32 bits of the hash of the instance's id. It never changes. */
export function containerMac(id: string, adapter: number): string {
  const hash = createHash('sha256').update(id).digest()
  return Buffer.from([0x02, ...hash.subarray(0, 4), adapter])
    .toString('hex')
    .replaceAll(/(..)(?=.)/g, '$1:')
}
