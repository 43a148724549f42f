import { type ExecFileSyncOptions, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { runMigrations } from '../src/command-line/run-migrations.ts'
import { sqlProjects } from '../src/emulation/sql-projects.ts'
import { gatewayMigrations } from '../src/gateway/migrate-gateway.ts'
import { sqlGatewayRepositories } from '../src/gateway/sql-gateway-repositories.ts'
import { migrate } from '../src/migrations/migrate.ts'
import { migrationState } from '../src/migrations/migration-state.ts'
import { openDatabase } from '../src/open-database.ts'
import { sqlStorageRepositories } from '../src/storage/sql-storage-repositories.ts'
import { sharedDatabases } from './test-databases.ts'

async function run(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const output: string[] = []
  const errors: string[] = []
  const code = await runMigrations({
    args,
    environment,
    print: (text) => output.push(text),
    printError: (text) => errors.push(text),
  })
  return { code, output: output.join(''), errors: errors.join('') }
}

/** Applies SQL by the database's own client, where it is installed. */
function applyByClient(url: string, text: string): void {
  if (url.startsWith('sqlite:')) {
    const sqlite = new DatabaseSync(url.slice('sqlite:'.length))
    sqlite.exec(text)
    sqlite.close()
    return
  }
  const { protocol, hostname, port, username, password, pathname } = new URL(url)
  const options: ExecFileSyncOptions = { input: text, stdio: ['pipe', 'ignore', 'pipe'] }
  if (protocol.startsWith('postgres')) {
    execFileSync('psql', ['-q', '-v', 'ON_ERROR_STOP=1', url], options)
    return
  }
  const login = ['-h', hostname, '-P', port || '3306', '-u', decodeURIComponent(username)]
  const secret = password === '' ? [] : [`-p${decodeURIComponent(password)}`]
  execFileSync(existsSync('/usr/bin/mariadb') ? 'mariadb' : 'mysql', [...login, ...secret, pathname.slice(1)], options)
}

const dialectOf = (url: string): string =>
  url.startsWith('sqlite') ? 'sqlite' : url.startsWith('postgres') ? 'postgres' : 'mariadb'

describe.each(sharedDatabases)('trivium-migrate on $name', { timeout: 60_000 }, (kind) => {
  it('lists what is pending, applies it, and finds nothing to do afterwards', async () => {
    const fresh = await kind.create()
    const environment = { DATABASE_URL: fresh.url ?? '' }
    const options = ['--services', 'emulation,gateway', '--table-prefix', 'tv_']
    const before = await run(['status', ...options], environment)
    expect(before.code).toBe(3)
    expect(before.output).toContain('gateway: 0 of')
    expect(before.output).not.toContain('storage')
    const applied = await run(['up', ...options], environment)
    expect(applied).toMatchObject({ code: 0, errors: '' })
    expect(applied.output).toContain('emulation: applied 0001-projects')
    const after = await run(['status', ...options], environment)
    expect(after).toMatchObject({ code: 0, errors: '' })
    expect(after.output).toMatch(/gateway: (\d+) of \1, up to date\./)
    expect((await run(['up', ...options], environment)).output).toContain('gateway: up to date.')
    expect((await run(['status'], environment)).code).toBe(3)
    await fresh.remove()
  })

  it('prints SQL for a new database that its client applies, after which the services work', async () => {
    const fresh = await kind.create()
    const url = fresh.url ?? ''
    const isPostgres = url.startsWith('postgres')
    const naming = ['--table-prefix', 'tv_', ...(isPostgres ? ['--schema', 'own'] : [])]
    const printed = await run(['sql', '--dialect', dialectOf(url), ...naming])
    expect(printed.code).toBe(0)
    applyByClient(url, printed.output)
    expect((await run(['status', '--database', url, ...naming])).code).toBe(0)
    const database = await openDatabase(url, { tablePrefix: 'tv_', ...(isPostgres && { schema: 'own' }) })
    const { keyInvalidations, verify } = sqlGatewayRepositories(database)
    expect(await verify?.()).toBeUndefined()
    await keyInvalidations?.publish('key' as never)
    expect(await sqlProjects(database).list()).toEqual([])
    expect(await sqlStorageRepositories(database).jobs.owners(new Date())).toEqual([])
    await database.close()
    await fresh.remove()
  })

  it('prints what an old database lacks, with the sums of its records', async () => {
    const fresh = await kind.create()
    const url = fresh.url ?? ''
    const database = await fresh.open()
    const steps = Object.entries(gatewayMigrations.migrations).slice(0, 4)
    await migrate(database, { ...gatewayMigrations, migrations: Object.fromEntries(steps) })
    const model = `it's "a" \\ model, a $1 and a ?`
    await sql`
      insert into gateway_usage (id, ${sql.ref('at')}, ${sql.ref('day')}, key_id, operation, model, provider, streamed,
        input_tokens, output_tokens, estimated, partial, status, latency_ms, images)
      values ('u', 1000, '1970-01-01', 'key', 'chat', ${model}, null, 0, 2, 3, 0, 0, 200, 1, 0)
    `.execute(database.kysely)
    const { output } = await run(['sql', '--database', url, '--services', 'gateway'])
    expect(output).not.toContain('0004-key-changes')
    expect(output).toContain('This step reads records')
    applyByClient(url, output)
    expect((await migrationState(database, gatewayMigrations)).pending).toEqual([])
    const { rows } = await sql<{ model: string; requests: number }>`
      select model, requests from gateway_usage_sums
    `.execute(database.kysely)
    expect(rows).toEqual([
      { model, requests: 1 },
      { model, requests: 1 },
    ])
    expect((await run(['sql', '--database', url, '--services', 'gateway'])).output).toMatch(/up to date/)
    await fresh.remove()
  })

  it('refuses a database of a newer release in a sentence', async () => {
    const fresh = await kind.create()
    const database = await fresh.open()
    await migrate(database, {
      name: 'gateway',
      migrations: { ...gatewayMigrations.migrations, '9999-later': async () => {} },
    })
    const options = ['--database', fresh.url ?? '', '--services', 'gateway']
    for (const action of ['up', 'sql']) {
      const { code, errors } = await run([action, ...options])
      expect(code).toBe(1)
      expect(errors).toMatch(/^The database has the tables of a newer release of the gateway: .*"9999-later"\.\n$/)
    }
    const { code, output } = await run(['status', ...options])
    expect(code).toBe(3)
    expect(output).toContain('newer release')
    await fresh.remove()
  })
})

describe('trivium-migrate', () => {
  it('prints its usage', async () => {
    for (const args of [['--help'], ['up', '--help']]) {
      expect(await run(args)).toMatchObject({ code: 0, errors: '', output: expect.stringContaining('Usage:') })
    }
  })

  it.each([
    [[], /no command/],
    [['up'], /no database/],
    [['down', '--database', 'memory:'], /Unknown command "down"/],
    [['up', 'again', '--database', 'memory:'], /Unexpected argument "again"/],
    [['up', '--database', 'memory:', '--services', 'mail'], /Unknown service "mail"/],
    [['sql', '--dialect', 'oracle'], /Unknown dialect "oracle"/],
    [['up', '--dialect', 'sqlite'], /for sql only/],
    [['sql', '--dialect', 'sqlite', '--database', 'memory:'], /not both/],
    [['up', '--nonsense'], /nonsense/],
  ])('explains what is wrong with %j', async (args, message) => {
    const { code, errors, output } = await run(args)
    expect(code).toBe(2)
    expect(errors).toMatch(message)
    expect(output).toBe('')
  })

  it.each([
    'postgres://user:s3cret%2Fword@127.0.0.1:9/test',
    'mysql://user:s3cret%2Fword@127.0.0.1:9/test',
    'oracle://user:s3cret%2Fword@127.0.0.1:9/test',
  ])('prints no password when %s cannot be used', async (url) => {
    for (const action of ['up', 'status', 'sql']) {
      const { code, errors, output } = await run([action], { DATABASE_URL: url })
      expect(code).toBe(1)
      expect(errors).not.toBe('')
      expect(errors + output).not.toMatch(/s3cret/)
    }
  })

  it('runs as a program', () => {
    const program = fileURLToPath(new URL('../src/command-line/main.ts', import.meta.url))
    const args = ['--conditions=@trivium/source', program, 'sql', '--dialect', 'sqlite', '--services', 'emulation']
    expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toContain('create table if not exists')
  })
})
