import type { Database } from '../database.ts'
import { type MigrationSet, stepsOf } from './migration-set.ts'
import { appliedSteps } from './migration-table.ts'

/** Which steps of a set a database has. */
export interface MigrationState {
  /** Names of all steps that were applied, in their order. Empty where the database has no tables of the service. */
  readonly applied: readonly string[]
  /** Names of the steps that are to be applied, in their order. */
  readonly pending: readonly string[]
  /** Names of applied steps that this release does not contain: a newer release has applied them. */
  readonly unknown: readonly string[]
}

export async function migrationState({ kysely, dialect }: Database, set: MigrationSet): Promise<MigrationState> {
  try {
    return stateOf(set, await appliedSteps(kysely, set))
  } catch (error) {
    if (dialect.isMissingTable(error)) return stateOf(set, [])
    throw error
  }
}

/** Compares a set with the names of the steps that a database has. */
export function stateOf(set: MigrationSet, applied: readonly string[]): MigrationState {
  const names = stepsOf(set).map(([name]) => name)
  return {
    applied,
    pending: names.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !names.includes(name)),
  }
}

/** A sentence for a database that has steps which this release does not contain. */
export const newerRelease = ({ name }: MigrationSet, unknown: readonly string[]): string =>
  `The database has the tables of a newer release of the ${name}: this release has no migration "${unknown.join('", "')}".`
