import { Kysely } from 'kysely'
import type { Dialect } from '../dialects/dialect.ts'
import { schemaOf } from '../dialects/schema.ts'
import { tableNames } from '../naming/table-names.ts'
import type { TableNaming } from '../naming/table-naming.ts'
import { type MigrationSet, stepsOf } from './migration-set.ts'
import { createMigrationTable, recordStep } from './migration-table.ts'
import { type ReadRows, recordStatements } from './recorded-statements.ts'

/** What to print, and for which database. */
export interface PrintOptions {
  readonly dialect: Dialect
  readonly naming: TableNaming
  /** Returns the rows of queries that the steps make. */
  readonly read: ReadRows
  /** Whether `read` has the rows of the database that the SQL is for. */
  readonly isConnected: boolean
  /** The sets, each with the names of the steps that the database lacks. */
  readonly pending: readonly { readonly set: MigrationSet; readonly steps: readonly string[] }[]
}

/** Returns the SQL of migrations, which also records them, so that they count as applied. */
export async function printMigrations(options: PrintOptions): Promise<string> {
  const { dialect, naming, read, isConnected, pending } = options
  const recorded = recordStatements(dialect.name, read)
  const kysely = tableNames(new Kysely<unknown>({ dialect: recorded.dialect }), naming)
  const schema = schemaOf(kysely, dialect, await dialect.schemaTypes(kysely))
  recorded.take()
  const lines: string[] = []
  const print = (title: string, note = '') => {
    const statements = recorded.take()
    lines.push(`-- ${title}`, ...(note === '' ? [] : [note]), ...statements.map((statement) => `${statement};`), '')
  }

  if (naming.schema !== undefined) {
    await kysely.schema.createSchema(naming.schema).ifNotExists().execute()
    print('schema')
  }
  for (const { set, steps } of pending) {
    if (steps.length === 0) continue
    await createMigrationTable(schema, set)
    print(set.name)
    for (const [name, step] of stepsOf(set)) {
      if (!steps.includes(name)) continue
      await step(schema)
      await recordStep(kysely, set, name)
      print(`${set.name} ${name}`, recorded.hasRead() ? (isConnected ? READ_NOTE : UNREAD_NOTE) : '')
    }
  }
  if (lines.length === 0) return ''
  return dialect.name === 'mysql' ? lines.join('\n') : ['begin;', '', ...lines, 'commit;', ''].join('\n')
}

const READ_NOTE = `-- This step reads records and cannot be SQL alone. Its statements are for the records that the database had
-- when they were printed: stop the service before you print them, and start it after they were applied.`

const UNREAD_NOTE = `-- This step reads records and cannot be SQL alone. These statements are for a database without records of the service.
-- For another database, print the SQL with its address (--database), or run: npx trivium-migrate up`
