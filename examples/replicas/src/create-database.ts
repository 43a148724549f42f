import { Client, escapeIdentifier } from 'pg'

const DUPLICATE_DATABASE = '42P04'

/** Creates the database that the address names, where it is absent. */
export async function createDatabase(address: string): Promise<void> {
  const server = new URL(address)
  const name = decodeURIComponent(server.pathname.slice(1))
  server.pathname = '/postgres'
  const client = new Client({ connectionString: server.href, connectionTimeoutMillis: 5000 })
  try {
    await client.connect()
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database ${escapeIdentifier(name)}`)
  } catch (error) {
    // Another process has created it meanwhile.
    if (error instanceof Error && 'code' in error && error.code === DUPLICATE_DATABASE) return
    throw new Error(`PostgreSQL at "${server.host}" cannot be used. Set DATABASE_URL to a server that runs.`, {
      cause: error,
    })
  } finally {
    await client.end()
  }
}
