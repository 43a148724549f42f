import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'

const count = v.pipe(v.number(), v.integer(), v.minValue(0))

const budget = v.strictObject({
  /** Of the tarball. */
  packedKilobytes: count,
  /** Of the files in it. */
  unpackedKilobytes: count,
  /** Packages that an installation brings along, ours included and peers left out. */
  dependencies: count,
  /** Of these packages. */
  dependenciesKilobytes: count,
  /** CPU time that the start-up benchmark compares with. */
  importMs: count,
})

export type Budget = v.InferOutput<typeof budget>

/** What each package may weigh, by its name. */
export const readBudgets = (): ReadonlyMap<string, Budget> =>
  new Map(
    Object.entries(
      v.parse(
        v.record(v.string(), budget),
        JSON.parse(readFileSync(join(import.meta.dirname, '../budgets.json'), 'utf8')),
      ),
    ),
  )
