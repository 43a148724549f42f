import type { SplitLoad } from './storage-node.ts'

/** The free split load of a node, in bytes. Never negative, even when the maximum is below what is in use. */
export const allowableLoad = ({ maximum, current, tokenReserved }: SplitLoad): number =>
  Math.max(0, maximum - current - tokenReserved)
