import type { SplitLoad } from './storage-node.ts'

/** What a node still grants, in bytes; never negative, even when its maximum was lowered below what is in use. */
export const allowableLoad = ({ maximum, current, tokenReserved }: SplitLoad): number =>
  Math.max(0, maximum - current - tokenReserved)
