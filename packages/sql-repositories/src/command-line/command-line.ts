import { parseArgs } from 'node:util'
import type { TableNaming } from '../naming/table-naming.ts'

/** What the command line asks for. */
export interface MigrateCommand {
  readonly action: 'help' | 'up' | 'status' | 'sql'
  /** The address of the database. Absent where SQL for a new database is printed. */
  readonly database: string | undefined
  /** The database that SQL is printed for without connecting. */
  readonly dialect: PrintedDialect | undefined
  readonly naming: TableNaming
  readonly services: readonly string[]
}

export type PrintedDialect = (typeof printedDialects)[number]

const printedDialects = ['postgres', 'mysql', 'mariadb', 'sqlite'] as const
const actions = ['up', 'status', 'sql'] as const
const services = ['gateway', 'emulation', 'storage'] as const

export const help = `Usage: trivium-migrate up|status|sql [options]

  up       applies the migrations that the database lacks
  status   lists them
  sql      prints them as SQL, which also records them as applied

  --database ADDRESS      sqlite:FILE, postgres://… or mysql://… (default: the variable DATABASE_URL)
  --schema NAME           the schema of the tables, on PostgreSQL
  --table-prefix PREFIX   the beginning of the names of all tables
  --services LIST         of ${services.join(',')} (default: all)
  --dialect NAME          with sql: prints all migrations for a new database of postgres, mysql, mariadb or sqlite,
                          without connecting
  --help                  prints this text

Exit codes: 0 done, or status finds nothing to do; 1 failed; 2 wrong arguments; 3 status finds something to do.
`

/** Reads the arguments. @throws {TypeError} with a sentence, when they are wrong */
export function readCommandLine(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): MigrateCommand {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      database: { type: 'string' },
      schema: { type: 'string' },
      'table-prefix': { type: 'string' },
      services: { type: 'string' },
      dialect: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  const naming = {
    ...(values.schema !== undefined && { schema: values.schema }),
    ...(values['table-prefix'] !== undefined && { tablePrefix: values['table-prefix'] }),
  }
  if (!values.help && positionals.length === 0) throw new TypeError('There is no command.')
  const action = values.help ? 'help' : oneOf(actions, positionals[0], 'command')
  if (positionals.length > 1) throw new TypeError(`Unexpected argument "${positionals[1]}".`)
  const dialect = values.dialect === undefined ? undefined : oneOf(printedDialects, values.dialect, 'dialect')
  if (dialect !== undefined && action !== 'sql' && action !== 'help') throw new TypeError('--dialect is for sql only.')
  if (dialect !== undefined && values.database !== undefined) {
    throw new TypeError('Use --database or --dialect, not both.')
  }
  const database = dialect === undefined ? (values.database ?? environment.DATABASE_URL) : undefined
  if (action !== 'help' && dialect === undefined && (database === undefined || database === '')) {
    throw new TypeError(
      `There is no database. Set DATABASE_URL or --database${action === 'sql' ? ', or --dialect to print the SQL for a new one' : ''}.`,
    )
  }
  const chosen = values.services === undefined ? services : values.services.split(',')
  return {
    action,
    database,
    dialect,
    naming,
    services: chosen.map((service) => oneOf(services, service.trim(), 'service')),
  }
}

function oneOf<Name extends string>(names: readonly Name[], given: string | undefined, what: string): Name {
  const known = names.find((name) => name === given)
  if (known === undefined) throw new TypeError(`Unknown ${what} "${given}". Use ${names.join(', ')}.`)
  return known
}
