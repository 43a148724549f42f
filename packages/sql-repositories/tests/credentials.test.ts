import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Database } from '../src/database.ts'
import { openDatabase } from '../src/open-database.ts'
import { type OwnServer, ownServers } from './own-servers.ts'

const run = async ({ kysely }: Database, text: string) => (await sql.raw<{ value: unknown }>(text).execute(kysely)).rows

/** Ends all connections of a user, so that the next query needs a new one. */
async function disconnect(admin: Database, user: string): Promise<void> {
  const isPostgres = admin.dialect.name === 'postgres'
  if (isPostgres) {
    await run(admin, `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${user}'`)
    return
  }
  await run(admin, `kill user ${user}`)
}

if (ownServers.length === 0) it.skip('needs PostgreSQL or MariaDB', () => undefined)

describe.each(ownServers)('credentials that change, on $name', { timeout: 60_000 }, ({ name, create }) => {
  const isPostgres = name === 'PostgreSQL'
  let server: OwnServer
  let admin: Database

  beforeAll(async () => {
    server = await create()
    await server.start()
    admin = await openDatabase(server.url)
    if (!isPostgres) return
    const [file] = await run(admin, 'show hba_file').then((rows) => rows.flatMap((row) => Object.values(row)))
    // Everyone but the administrator needs a password.
    const rules = ['host all trivium 127.0.0.1/32 trust', 'host all all 127.0.0.1/32 scram-sha-256']
    await run(admin, `copy (select unnest(array['${rules.join("','")}'])) to '${file}'`)
    await run(admin, 'select pg_reload_conf()')
  })
  afterAll(async () => {
    await admin.close()
    await server.remove()
  })

  const createUser = (user: string, password: string) =>
    isPostgres
      ? run(admin, `create role ${user} login password '${password}'`)
      : run(admin, `create user ${user}@127.0.0.1 identified by '${password}'`)
  const changePassword = (user: string, password: string) =>
    isPostgres
      ? run(admin, `alter role ${user} password '${password}'`)
      : run(admin, `set password for ${user}@127.0.0.1 = password('${password}')`)
  const addressOf = (user: string, password: string) => {
    const url = new URL(server.url)
    url.username = user
    url.password = password
    if (!isPostgres) url.pathname = ''
    return url.href
  }
  const currentUser = (database: Database) => run(database, 'select current_user as value')

  it('asks for the password of each new connection, and keeps open connections', async () => {
    await createUser('rotating', 'first')
    let password = 'first'
    let asked = 0
    const database = await openDatabase(addressOf('rotating', 'outdated'), {
      maxConnections: 1,
      password: async () => {
        asked += 1
        return password
      },
    })
    expect(JSON.stringify(await currentUser(database))).toContain('rotating')
    await changePassword('rotating', 'second')
    await currentUser(database)
    expect(asked).toBe(1)
    await disconnect(admin, 'rotating')
    // The pool learns of the lost connection by the failure of a query.
    await vi.waitFor(() => expect(currentUser(database)).rejects.toThrow(/password|denied/i), 30_000)
    password = 'second'
    expect(await currentUser(database)).toHaveLength(1)
    await database.close()
  })

  it('asks for the user and the password together', async () => {
    await createUser('one', 'p1')
    await createUser('two', 'p2')
    const logins = [
      { user: 'one', password: 'p1' },
      { user: 'two', password: 'p2' },
    ]
    const database = await openDatabase(addressOf('without_login', ''), {
      maxConnections: 1,
      credentials: async () => logins.shift() ?? { password: 'none' },
    })
    expect(JSON.stringify(await currentUser(database))).toContain('one')
    await disconnect(admin, 'one')
    await vi.waitFor(async () => expect(JSON.stringify(await currentUser(database))).toContain('two'), 30_000)
    await database.close()
  })

  it('fails a query when the credentials cannot be had, and works when they can', async () => {
    await createUser('late', 'p')
    const sources = [
      () => Promise.reject(new Error('the vault is sealed')),
      () => new Promise<never>(() => {}),
      async () => 'p',
    ]
    const database = await openDatabase(addressOf('late', ''), {
      connectTimeoutMs: 1000,
      password: () => (sources.shift() ?? (() => 'p'))(),
    })
    await expect(currentUser(database)).rejects.toThrow('the vault is sealed')
    await expect(currentUser(database)).rejects.toThrow()
    expect(await currentUser(database)).toHaveLength(1)
    await database.close()
  })

  it('asks the server about an overdue statement with the same credentials', async () => {
    await createUser('slow', 'p')
    const database = await openDatabase(addressOf('slow', ''), { overdueMs: 300, password: async () => 'p' })
    await run(database, isPostgres ? 'select pg_sleep(1.5)' : 'select sleep(1.5)')
    await database.close()
  })
})
