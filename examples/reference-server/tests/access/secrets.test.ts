import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Redis } from 'ioredis'
import { describe, expect, it } from 'vitest'
import { canRunRedis, redisServer } from '../../../../packages/redis-repositories/tests/redis-server.ts'
import { sharedDatabases } from '../../../../packages/sql-repositories/tests/test-databases.ts'
import { requireProgram } from '../require-program.ts'
import { startServer } from '../server-process.ts'
import { failings, leakingUpstream, promptOf } from './leaking-upstream.ts'
import { requestAll, secretTour } from './secret-tour.ts'
import { found, secrets } from './secrets.ts'

interface Store {
  readonly environment: Readonly<Record<string, string>>
  /** Returns all content of the store as text. */
  dump(dataDirectory: string): string | Promise<string>
  /** Drops tables. */
  destroy(dataDirectory: string): void
}

async function runTour({ environment, dump, destroy }: Store) {
  const upstream = await leakingUpstream()
  try {
    await using server = await startServer({
      environment: {
        OPENAI_BASE_URL: upstream.url,
        OPENAI_API_KEY: secrets.openAi,
        OPENAI_MODELS: 'm-1',
        ANTHROPIC_BASE_URL: upstream.url,
        ANTHROPIC_API_KEY: secrets.anthropic,
        ANTHROPIC_MODELS: 'm-1',
        BRAVE_BASE_URL: upstream.url,
        BRAVE_API_KEY: secrets.brave,
        ...environment,
      },
    })
    const { tourSecrets, received } = await secretTour(server)
    const asked = upstream.requests.map((request) => {
      const { authorization, 'x-api-key': apiKey, 'x-subscription-token': token } = request.headers
      return { key: String(authorization ?? apiKey ?? token), text: promptOf(request) }
    })
    const kept = await dump(server.dataDirectory)
    const files = globSync('**/*', { cwd: server.dataDirectory })
      .map((file) => join(server.dataDirectory, file))
      .filter((file) => statSync(file).isFile())
    const written = files.map((file) => readFileSync(file, 'latin1')).join('\n')
    destroy(server.dataDirectory)
    const broken = await requestAll(server, { tourSecrets, received })
    await server.stop()
    return { tourSecrets, asked, places: { received, kept, written, broken, printed: server.output() } }
  } finally {
    await upstream.close()
  }
}

async function expectNoLeaks(store: Store): Promise<void> {
  const { tourSecrets, asked, places } = await runTour(store)
  for (const key of [`Bearer ${secrets.openAi}`, secrets.anthropic, secrets.brave]) {
    const reached = failings.filter((failing) => asked.some((one) => one.key === key && one.text.includes(failing)))
    expect(reached, key).toEqual(failings)
  }
  // The log contains the faults of a store without its tables in full.
  expect(places.printed).toMatch(/no such table|does not exist/)
  expect(places.kept.includes('renamed')).toBe(true)
  for (const [place, text] of Object.entries(places))
    expect(found(text, { ...secrets, ...tourSecrets }), place).toEqual([])
}

const tables = ['gateway_api_keys', 'gateway_usage', 'emulation_projects', 'storage_quota_rules']

const onSqlite = (directory: string) => join(directory, 'trivium.sqlite')

const canDump = await requireProgram('pg_dump', 'postgresql-client')

const postgres = sharedDatabases.find(({ name }) => name === 'PostgreSQL')

describe('the server', () => {
  it('has no secret in any answer, event, metric, log or store on SQLite', async () => {
    await expectNoLeaks({
      environment: {},
      dump: (directory) => rowsOf(onSqlite(directory)),
      destroy: (directory) => {
        const database = new DatabaseSync(onSqlite(directory))
        for (const table of tables) database.exec(`drop table ${table}`)
        database.close()
      },
    })
  }, 120_000)

  it.runIf(postgres && canRunRedis && canDump)(
    'has no secret in any answer, event, metric, log or store on PostgreSQL and Redis',
    async () => {
      const [database, redis] = [await postgres?.create(), await redisServer()]
      await redis.start()
      try {
        const address = new URL(database?.url ?? '')
        address.password = secrets.database
        const limits = new URL(redis.url)
        limits.username = 'default'
        limits.password = secrets.redis
        await expectNoLeaks({
          environment: { DATABASE_URL: address.href, REDIS_URL: limits.href },
          dump: async () =>
            execFileSync('pg_dump', ['--inserts', database?.url ?? ''], { encoding: 'utf8' }) +
            (await dumpRedis(redis.url)),
          destroy: () => {
            for (const table of tables)
              execFileSync('psql', ['-qc', `drop table ${table} cascade`, database?.url ?? ''])
          },
        })
      } finally {
        await redis.kill()
        await database?.remove()
      }
    },
    120_000,
  )
})

/** Returns every row of every table as text. */
function rowsOf(file: string): string {
  const database = new DatabaseSync(file)
  const names = database.prepare("select name from sqlite_master where type = 'table'").all()
  const rows = names.flatMap(({ name }) => database.prepare(`select * from "${name}"`).all())
  database.close()
  return JSON.stringify(rows)
}

/** Returns every key of a Redis with its value as Redis dumps it. */
async function dumpRedis(url: string): Promise<string> {
  const client = new Redis(url)
  const names = await client.keys('*')
  const values = await Promise.all(names.map(async (name) => (await client.dumpBuffer(name))?.toString('latin1')))
  await client.quit()
  return [...names, ...values].join('\n')
}
