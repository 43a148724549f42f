import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { createConnection } from 'mysql2/promise'
import { Client } from 'pg'

export type Value = string | number | null

/** A database through its driver alone: one connection, statements prepared once, rows not checked. */
export interface BareDriver {
  /** @param statement with a `?` for each value */
  query(statement: string, values: readonly Value[]): Promise<unknown>
  /** Runs a statement that is not prepared. */
  run(statement: string): Promise<void>
  close(): Promise<void>
}

export async function openBare(url: string): Promise<BareDriver> {
  if (url.startsWith('sqlite:')) return bareSqlite(url.slice('sqlite:'.length))
  return url.startsWith('postgres') ? barePostgres(url) : bareMysql(url)
}

function bareSqlite(file: string): BareDriver {
  const database = new DatabaseSync(file)
  database.exec('pragma synchronous = normal')
  const statements = new Map<string, StatementSync>()
  return {
    query: async (text, values) => {
      const statement = statements.get(text) ?? database.prepare(text)
      statements.set(text, statement)
      return statement.all(...values)
    },
    run: async (text) => database.exec(text),
    close: async () => database.close(),
  }
}

async function barePostgres(url: string): Promise<BareDriver> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const prepared = new Map<string, { readonly name: string; readonly text: string }>()
  return {
    query: async (statement, values) => {
      let known = prepared.get(statement)
      if (known === undefined) {
        let number = 0
        known = {
          name: `bare_${prepared.size}`,
          text: statement.replaceAll('?', () => {
            number += 1
            return `$${number}`
          }),
        }
        prepared.set(statement, known)
      }
      return (await client.query({ ...known, values: [...values] })).rows
    },
    run: async (text) => {
      await client.query(text)
    },
    close: () => client.end(),
  }
}

async function bareMysql(url: string): Promise<BareDriver> {
  const connection = await createConnection({ uri: url })
  return {
    query: async (statement, values) => (await connection.query(statement, [...values]))[0],
    run: async (text) => {
      await connection.query(text)
    },
    close: () => connection.end(),
  }
}

/** Returns the placeholders of rows with that many columns, such as `(?, ?), (?, ?)`. */
export const places = (rows: number, columns: number): string =>
  Array.from({ length: rows }, () => `(${Array.from({ length: columns }, () => '?').join(', ')})`).join(', ')
