import type { OwnAmount } from './read-own-quotas.ts'

/** Writes what is used of a hard limit: `6 MiB of 10 MiB, 60 %`. */
export function describeUse(
  { used, hard_limit: hard, soft_limit: soft }: Pick<OwnAmount, 'used' | 'hard_limit' | 'soft_limit'>,
  format: (value: number | bigint) => string,
): string {
  const total = used?.total === undefined ? 'not counted' : format(used.total)
  if (hard === undefined) return `${total}, no ${soft === undefined ? '' : 'hard '}limit`
  const percent = used?.hard_limit_percent
  return `${total} of ${format(hard)}${percent === undefined ? '' : `, ${percent} %`}`
}
