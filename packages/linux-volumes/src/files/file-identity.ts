import type { BigIntStats } from 'node:fs'

/** An inode number alone comes back after its file was deleted; the time of birth does not. */
export const identityOf = ({ ino, birthtimeNs }: BigIntStats): string => `${ino}-${birthtimeNs}`
