import type { ProcessRecord } from './instance.ts'

/** Whether two lists have the same processes in the same order. */
export const sameProcesses = (one: readonly ProcessRecord[], other: readonly ProcessRecord[]): boolean =>
  one.length === other.length &&
  one.every(({ pid, startedAt }, index) => pid === other[index]?.pid && startedAt === other[index].startedAt)
