import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServerProcess, startServer } from '../server-process.ts'
import { type FailedStart, failingStart, failingStarts } from './failing-start.ts'

const directory = mkdtempSync(join(tmpdir(), 'trivium-errors-'))
const file = (name: string, content: string): string => {
  const path = join(directory, name)
  writeFileSync(path, content)
  return path
}
/** A data directory with a password that any user of the machine may have put there. */
function plantedPassword(): string {
  mkdirSync(join(directory, 'planted'))
  chmodSync(file('planted/admin-password', 'known to others\n'), 0o666)
  return join(directory, 'planted')
}
const all = { TRIVIUM_SERVICES: 'gateway,emulation,storage' }

type Wrong = readonly [string, readonly string[], Readonly<Record<string, string>>, RegExp]

const wrongs: readonly Wrong[] = [
  ['a port that is none', ['--port', 'x'], {}, /^PORT \(--port\) must be a number, not "x"; see --help\.$/],
  ['an unknown flag', ['--prot', '1'], {}, /--prot.*see --help\.$/],
  ['an address of another machine', ['--host', '192.0.2.1'], {}, /no address of this machine.*--host\.$/],
  ['a data directory that cannot be', ['--data-dir', '/dev/null/nowhere'], {}, /\/dev\/null\/nowhere.*--data-dir\.$/],
  ['a data directory in /proc', ['--data-dir', '/proc/x'], {}, /\/proc\/x cannot be used .*--data-dir\.$/],
  ['a data directory below one in /proc', ['--data-dir', '/proc/x/y/z'], {}, /\/proc\/x\/y\/z cannot .*--data-dir\.$/],
  ['a data directory that takes no files', ['--data-dir', '/proc/self'], {}, /\/proc\/self cannot .*--data-dir\.$/],
  ['a data directory that is a file', ['--data-dir', file('data', '')], {}, /data cannot be used .*--data-dir\.$/],
  [
    'a data directory below a file',
    ['--data-dir', `${file('above', '')}/below`],
    {},
    /above\/below cannot be used .*--data-dir\.$/,
  ],
  [
    'a password that others may write',
    ['--data-dir', plantedPassword()],
    {},
    /admin-password is not used .*mode 0600\.$/,
  ],
  ['no right to the data directory', ['--data-dir', '/sys/trivium'], {}, /\/sys\/trivium.*--data-dir\.$/],
  [
    'a projects directory that cannot be',
    [],
    { ...all, TRIVIUM_PROJECTS_DIR: '/dev/null/x' },
    /\/dev\/null\/x.*TRIVIUM_PROJECTS_DIR\.$/,
  ],
  ['an unknown kind of database', [], { DATABASE_URL: 'oracle://x' }, /^DATABASE_URL must be sqlite:FILE/],
  ['a database URL that is none', [], { DATABASE_URL: 'postgres://[x' }, /^DATABASE_URL must be sqlite:FILE/],
  [
    'a PostgreSQL that does not run',
    [],
    { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
    /^DATABASE_URL: PostgreSQL at 127\.0\.0\.1:1\/none cannot be used .*check that the server runs/,
  ],
  [
    'a MySQL that does not run',
    [],
    { DATABASE_URL: 'mysql://nobody@127.0.0.1:1/none' },
    /^DATABASE_URL: MySQL at 127\.0\.0\.1:1\/none cannot be used .*check that the server runs/,
  ],
  [
    'a database file that is none',
    [],
    { DATABASE_URL: `sqlite:${file('text', 'This is a letter to a friend, and no database.')}` },
    /^DATABASE_URL: SQLite in .* cannot be used .*name a file/,
  ],
  ['a Redis URL that is none', [], { REDIS_URL: 'redis://[x' }, /^REDIS_URL must be redis:/],
  ['an Ollama that is none', [], { OLLAMA_HOST: '::x::' }, /^OLLAMA_HOST must be an address/],
  [
    'TLS files that are absent',
    ['--tls-cert', '/none', '--tls-key', '/none'],
    {},
    /^TLS with \/none .*--tls-cert .*--tls-key/,
  ],
  [
    'TLS files that are none',
    ['--tls-cert', file('cert', 'x'), '--tls-key', file('key', 'x')],
    {},
    /^TLS with .*--tls-cert .*--tls-key/,
  ],
  [
    'a volume that is absent',
    [],
    { ...all, TRIVIUM_VOLUMES: 'v=/does/not/exist' },
    /^TRIVIUM_VOLUMES: v cannot be opened/,
  ],
  [
    'a configuration with a name that nothing has',
    ['--config', file('typo.json', '{"PROT":"1"}')],
    {},
    /typo\.json cannot be used \(PROT /,
  ],
  [
    'a configuration that is no JSON',
    ['--config', file('text.json', 'secret')],
    {},
    /text\.json cannot be used \(it is/,
  ],
]

const revealing: readonly Wrong[] = [
  ['an unknown kind of database', [], { DATABASE_URL: 'oracle://me:hunter2@host/x' }, /hunter2/],
  ['a PostgreSQL that does not run', [], { DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:1/x' }, /hunter2/],
  ['a Redis URL that is none', [], { REDIS_URL: 'radish://:hunter2@host' }, /hunter2/],
  ['a configuration that is no JSON', ['--config', file('secret.json', 'hunter2')], {}, /hunter2/],
]

afterAll(() => rmSync(directory, { recursive: true }))

describe('a start that fails', () => {
  let taken: ReturnType<typeof createTcpServer>
  let port = 0
  beforeAll(async () => {
    taken = createTcpServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const address = taken.address()
    port = typeof address === 'object' && address !== null ? address.port : 0
  })
  afterAll(() => taken.close())

  it('says in one sentence that the port is in use', () => {
    const { status, complaints } = failingStart(['--port', String(port)])
    expect(complaints).toEqual([expect.stringMatching(/^Port \d+ of 127\.0\.0\.1 is in use; .*--port\.$/)])
    expect(status).toBe(1)
  })

  describe('because of its settings', () => {
    let starts: readonly FailedStart[]
    beforeAll(() => {
      const cases = [...wrongs, ...revealing]
      starts = failingStarts(cases.map(([, args, environment]) => ({ args, environment })))
    })

    it.each(
      wrongs.map((wrong, index) => ({ wrong: wrong[0], sentence: wrong[3], index })),
    )('says in one sentence what is wrong: $wrong', ({ sentence, index }) => {
      expect(starts[index]).toMatchObject({ status: 1, complaints: [expect.stringMatching(sentence)] })
    })

    it.each(
      revealing.map((wrong, index) => ({ wrong: wrong[0], secret: wrong[3], index: wrongs.length + index })),
    )('repeats no secret of $wrong', ({ secret, index }) => {
      expect(starts[index]).toMatchObject({ status: 1, complaints: [expect.not.stringMatching(secret)] })
    })
  })

  it('tells which step takes longer, and gives a database that does not answer up', () => {
    const { status, complaints, lines } = failingStart([], { DATABASE_URL: `postgres://me@127.0.0.1:${port}/x` })
    expect(lines).toContain(`Opening PostgreSQL at 127.0.0.1:${port}/x …`)
    expect(complaints).toEqual([expect.stringMatching(/^DATABASE_URL: PostgreSQL at .* cannot be used/)])
    expect(status).toBe(1)
  })
})

describe('a second start over the same directory', () => {
  let first: ServerProcess
  beforeAll(async () => {
    first = await startServer()
  })
  afterAll(() => first?.[Symbol.asyncDispose]())

  it('leaves the labs of the first alone, and says what to do', async () => {
    const { project_id: project }: { project_id: string } = await (
      await first.ask('/v1/projects', { method: 'POST', body: { temporary: true } })
    ).json()
    const { status, complaints } = failingStart(['--data-dir', first.dataDirectory], all)
    expect(complaints).toEqual([expect.stringMatching(/^Another server runs the labs of .*--data-dir/)])
    expect(status).toBe(1)
    expect((await first.ask(`/v1/projects/${project}`)).status).toBe(200)
  })

  it('may serve the rest beside it', async () => {
    await using second = await startServer({
      dataDirectory: first.dataDirectory,
      environment: { TRIVIUM_SERVICES: 'gateway,storage' },
    })
    expect((await second.ask('/health')).status).toBe(200)
  })

  it('waits for nothing after a crash', async () => {
    await first.kill()
    await using second = await first.restart()
    expect((await second.ask('/v1/projects')).status).toBe(200)
  })
})

it('starts without Redis, and says what that means', async () => {
  await using server = await startServer({
    environment: { REDIS_URL: 'redis://127.0.0.1:1', TRIVIUM_SERVICES: 'gateway' },
  })
  expect(server.output()).toMatch(/state .*limits in Redis at 127\.0\.0\.1:1, which does not answer/)
})
