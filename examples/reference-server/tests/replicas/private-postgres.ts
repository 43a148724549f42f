import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { freePort } from './free-port.ts'

/** A PostgreSQL of the test's own that can be killed and restarted. */
export interface PrivatePostgres {
  readonly url: string
  /** Resolves when it accepts connections. */
  start(): Promise<void>
  /** Ends all its processes immediately. Committed data is there after the next start. */
  crash(): Promise<void>
  query<Row>(statement: string): Promise<readonly Row[]>
  remove(): Promise<void>
}

const programs = globSync('/usr/lib/postgresql/*/bin').sort().at(-1)

export const canRunPostgres = hasPrograms()

export async function privatePostgres(): Promise<PrivatePostgres> {
  const port = await freePort()
  const directory = mkdtempSync(join(tmpdir(), 'trivium-postgres-'))
  const user = serverUser()
  if (user !== undefined) chownSync(directory, user.uid, user.gid)
  const program = (name: string) => join(programs ?? '', name)
  const environment = { PATH: process.env.PATH, LC_ALL: 'C' }
  execFileSync(program('initdb'), ['-D', directory, '-A', 'trust', '-U', 'trivium', '-E', 'UTF8', '--no-sync'], {
    ...user,
    cwd: directory,
    env: environment,
  })
  const url = `postgres://trivium@127.0.0.1:${port}/postgres`
  let running: ChildProcess | undefined

  const crash = async () => {
    if (running === undefined) return
    const exited = once(running, 'exit')
    running.kill('SIGQUIT')
    await exited
    running = undefined
  }

  return {
    url,
    crash,
    async start() {
      const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off']
      const started = spawn(program('postgres'), ['-D', directory, ...settings.flatMap((one) => ['-c', one])], {
        ...user,
        cwd: directory,
        env: environment,
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      running = started
      for await (const line of createInterface(started.stderr)) {
        if (line.includes('ready to accept connections')) break
      }
      started.stderr.resume()
    },
    async query<Row>(statement: string) {
      const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
      try {
        await client.connect()
        // The caller names the type of the rows: SQL is not typed at run time.
        return (await client.query(statement)).rows as Row[]
      } finally {
        await client.end()
      }
    },
    async remove() {
      await crash()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** PostgreSQL refuses to run as root. */
function serverUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

function hasPrograms(): boolean {
  if (programs !== undefined) return true
  const message = 'PostgreSQL is not installed (apt-get install postgresql): the tests that restart it are skipped'
  if (process.env.TRIVIUM_REQUIRE_SERVICES === '1') throw new Error(message)
  console.warn(message)
  return false
}
