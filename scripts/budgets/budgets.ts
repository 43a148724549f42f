import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'

const count = v.pipe(v.number(), v.integer(), v.minValue(0))

const budget = v.strictObject({
  /** The size of the tarball. */
  packedKilobytes: count,
  /** The size of the files in it. */
  unpackedKilobytes: count,
  /** The number of packages that an installation adds, with those of Trivium and without peers. */
  dependencies: count,
  /** The size of these packages. */
  dependenciesKilobytes: count,
  /** The CPU time with which the start-up benchmark compares. */
  importMs: count,
})

export type Budget = v.InferOutput<typeof budget>

/** Reads the budgets of the packages by their names. */
export const readBudgets = (): ReadonlyMap<string, Budget> =>
  new Map(
    Object.entries(
      v.parse(
        v.record(v.string(), budget),
        JSON.parse(readFileSync(join(import.meta.dirname, '../budgets.json'), 'utf8')),
      ),
    ),
  )
