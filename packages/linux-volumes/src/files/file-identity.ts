import type { BigIntStats } from 'node:fs'

/** Identifies a file by inode number and creation time. Inode numbers alone are used again after a deletion. */
export const identityOf = ({ ino, birthtimeNs }: BigIntStats): string => `${ino}-${birthtimeNs}`
