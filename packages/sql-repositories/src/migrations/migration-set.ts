import type { Schema } from '../dialects/schema.ts'

/**
 * One step of a schema, forward only. It is run again when it was interrupted, possibly on its own partial result:
 * MySQL cannot roll it back.
 */
export type Migration = (schema: Schema) => Promise<void>

/** The tables of one service, in steps. */
export interface MigrationSet {
  /** The name of the service. The steps that were applied are recorded in `<name>_migrations`. */
  readonly name: string
  /** Steps by name. They run in the order of their names, which begin with a number. A released step never changes. */
  readonly migrations: Readonly<Record<string, Migration>>
}

/** The steps in the order in which they run. */
export const stepsOf = ({ migrations }: MigrationSet): readonly (readonly [name: string, step: Migration])[] =>
  Object.entries(migrations).sort(([one], [other]) => (one < other ? -1 : 1))
