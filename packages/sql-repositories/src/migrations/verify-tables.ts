import type { Database } from '../database.ts'
import type { MigrationSet } from './migration-set.ts'
import { migrationState, newerRelease } from './migration-state.ts'

/**
 * Checks that a database has the tables of this release.
 *
 * @returns sentences that say what is wrong and what to do, or `undefined`
 */
export async function verifyTables(database: Database, set: MigrationSet): Promise<string | undefined> {
  const { applied, pending, unknown } = await migrationState(database, set)
  if (unknown.length > 0) return `${newerRelease(set, unknown)} Install the newer release.`
  if (pending.length === 0) return undefined
  const { name } = set
  const { schema, tablePrefix } = database.naming
  const where = [
    ...(schema === undefined ? [] : [` --schema ${schema}`]),
    ...(tablePrefix === undefined ? [] : [` --table-prefix ${tablePrefix}`]),
  ].join('')
  const remedy = `Run migrate${name.charAt(0).toUpperCase()}${name.slice(1)}(database), or npx trivium-migrate up${where}.`
  if (applied.length === 0) return `The tables of the ${name} service are missing in the database. ${remedy}`
  return `The tables of the ${name} service in the database are outdated: they lack the migration "${pending.join('", "')}". ${remedy}`
}
