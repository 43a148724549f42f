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
/** Creates a data directory with a password file that any user of the machine can write. */
function plantedPassword(): string {
  mkdirSync(join(directory, 'planted'))
  chmodSync(file('planted/admin-password', 'known to others\n'), 0o666)
  return join(directory, 'planted')
}
const all = { TRIVIUM_SERVICES: 'gateway,emulation,storage' }

type FailingCase = readonly [string, readonly string[], Readonly<Record<string, string>>, RegExp]

const failingCases: readonly FailingCase[] = [
  ['a port that is not a number', ['--port', 'x'], {}, /^PORT \(--port\) must be a number, not "x"\. See --help\.$/],
  [
    'more than one worker with limits in memory',
    ['--workers', '2'],
    { DATABASE_URL: 'memory:' },
    /^TRIVIUM_WORKERS \(--workers\) is 2, and DATABASE_URL keeps .* limits would not be exact\. .*use 1 worker\.$/,
  ],
  [
    'workers without a gateway',
    ['--workers', '2'],
    { TRIVIUM_SERVICES: 'storage' },
    /^TRIVIUM_WORKERS \(--workers\) is for the gateway/,
  ],
  [
    'workers that are not a number',
    ['--workers', '0'],
    {},
    /--workers\) must be auto or a number from 1 to 256, not "0"/,
  ],
  ['an unknown flag', ['--prot', '1'], {}, /--prot.*See --help\.$/],
  ['an address of another machine', ['--host', '192.0.2.1'], {}, /not an address of this machine.*--host\.$/],
  [
    'a data directory that cannot be created',
    ['--data-dir', '/dev/null/nowhere'],
    {},
    /\/dev\/null\/nowhere.*--data-dir\.$/,
  ],
  ['a data directory in /proc', ['--data-dir', '/proc/x'], {}, /\/proc\/x" cannot be used .*--data-dir\.$/],
  ['a data directory below one in /proc', ['--data-dir', '/proc/x/y/z'], {}, /\/proc\/x\/y\/z" cannot .*--data-dir\.$/],
  [
    'a data directory without permission to write',
    ['--data-dir', '/proc/self'],
    {},
    /\/proc\/self" cannot .*--data-dir\.$/,
  ],
  ['a data directory that is a file', ['--data-dir', file('data', '')], {}, /data" cannot be used .*--data-dir\.$/],
  [
    'a data directory below a file',
    ['--data-dir', `${file('above', '')}/below`],
    {},
    /above\/below" cannot be used .*--data-dir\.$/,
  ],
  [
    'a password file that other users can write',
    ['--data-dir', plantedPassword()],
    {},
    /admin-password" is not used .*mode 0600\.$/,
  ],
  ['a data directory without permission', ['--data-dir', '/sys/trivium'], {}, /\/sys\/trivium.*--data-dir\.$/],
  [
    'a projects directory that cannot be created',
    [],
    { ...all, TRIVIUM_PROJECTS_DIR: '/dev/null/x' },
    /\/dev\/null\/x.*TRIVIUM_PROJECTS_DIR\.$/,
  ],
  ['an unknown kind of database', [], { DATABASE_URL: 'oracle://x' }, /^DATABASE_URL must be sqlite:FILE/],
  ['an invalid database URL', [], { DATABASE_URL: 'postgres://[x' }, /^DATABASE_URL must be sqlite:FILE/],
  [
    'a PostgreSQL that does not run',
    [],
    { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
    /^DATABASE_URL: PostgreSQL at 127\.0\.0\.1:1\/none cannot be used .*Check that the database server runs/,
  ],
  [
    'a MySQL that does not run',
    [],
    { DATABASE_URL: 'mysql://nobody@127.0.0.1:1/none' },
    /^DATABASE_URL: MySQL at 127\.0\.0\.1:1\/none cannot be used .*Check that the database server runs/,
  ],
  [
    'a database file that is not SQLite',
    [],
    { DATABASE_URL: `sqlite:${file('text', 'This is a letter to a friend, and not a database.')}` },
    /^DATABASE_URL: SQLite in .* cannot be used .*Name a file/,
  ],
  ['an invalid Redis URL', [], { REDIS_URL: 'redis://[x' }, /^REDIS_URL must be redis:/],
  [
    'an upstream that is the server itself',
    ['--port', '8787'],
    { OPENAI_BASE_URL: 'http://localhost:8787/v1' },
    /^OPENAI_BASE_URL is the address of this server itself\. Name an upstream/,
  ],
  [
    'an Anthropic upstream that is the server itself, on every address',
    ['--port', '8787', '--host', '::'],
    { ANTHROPIC_BASE_URL: 'http://[::1]:8787' },
    /^ANTHROPIC_BASE_URL is the address of this server itself\./,
  ],
  ['an invalid address of Ollama', [], { OLLAMA_HOST: '::x::' }, /^OLLAMA_HOST must be an address/],
  ['a dialect that is not one of OpenAI', [], { OPENAI_DIALECTS: 'messages' }, /^OPENAI_DIALECTS must be chat, resp/],
  [
    'a header with credentials among those for upstreams',
    [],
    { TRIVIUM_FORWARD_HEADERS: 'x-team,Authorization' },
    /^TRIVIUM_FORWARD_HEADERS cannot have "Authorization"\./,
  ],
  [
    'TLS files that are absent',
    ['--tls-cert', '/none', '--tls-key', '/none'],
    {},
    /^TLS with "\/none" .*--tls-cert .*--tls-key/,
  ],
  [
    'TLS files that are not PEM',
    ['--tls-cert', file('cert', 'x'), '--tls-key', file('key', 'x')],
    {},
    /^TLS with .*--tls-cert .*--tls-key/,
  ],
  [
    'a volume that is absent',
    [],
    { ...all, TRIVIUM_VOLUMES: 'v=/does/not/exist' },
    /^TRIVIUM_VOLUMES: the volume "v" cannot be opened/,
  ],
  [
    'a configuration file with an unknown name',
    ['--config', file('typo.json', '{"PROT":"1"}')],
    {},
    /typo\.json:1:2 PROT: is not a key of the file\. Did you mean port\?/,
  ],
  [
    'a configuration file that is not an object',
    ['--config', file('text.json', 'secret')],
    {},
    /text\.json:1:1 The file must be an object/,
  ],
]

const secretCases: readonly FailingCase[] = [
  ['an unknown kind of database', [], { DATABASE_URL: 'oracle://me:hunter2@host/x' }, /hunter2/],
  ['a PostgreSQL that does not run', [], { DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:1/x' }, /hunter2/],
  ['an invalid Redis URL', [], { REDIS_URL: 'radish://:hunter2@host' }, /hunter2/],
  ['a configuration file that is not an object', ['--config', file('secret.json', 'hunter2')], {}, /hunter2/],
]

afterAll(() => rmSync(directory, { recursive: true }))

describe('a start that fails', () => {
  let occupant: ReturnType<typeof createTcpServer>
  let port = 0
  beforeAll(async () => {
    occupant = createTcpServer((socket) => socket.on('error', () => undefined)).listen(0, '127.0.0.1')
    await once(occupant, 'listening')
    const address = occupant.address()
    port = typeof address === 'object' && address !== null ? address.port : 0
  })
  afterAll(() => occupant.close())

  it('prints one line when the port is in use', () => {
    const { status, errors } = failingStart(['--port', String(port)])
    expect(errors).toEqual([expect.stringMatching(/^Port \d+ of "127\.0\.0\.1" is in use\. .*--port\.$/)])
    expect(status).toBe(1)
  })

  describe('because of a setting', () => {
    let starts: readonly FailedStart[]
    beforeAll(() => {
      const cases = [...failingCases, ...secretCases]
      starts = failingStarts(cases.map(([, args, environment]) => ({ args, environment })))
    })

    it.each(
      failingCases.map((failingCase, index) => ({ failingCase: failingCase[0], sentence: failingCase[3], index })),
    )('prints one line for $failingCase', ({ sentence, index }) => {
      expect(starts[index]).toMatchObject({ status: 1, errors: [expect.stringMatching(sentence)] })
    })

    it.each(
      secretCases.map((failingCase, index) => ({
        failingCase: failingCase[0],
        secret: failingCase[3],
        index: failingCases.length + index,
      })),
    )('prints no secret for $failingCase', ({ secret, index }) => {
      expect(starts[index]).toMatchObject({ status: 1, errors: [expect.not.stringMatching(secret)] })
    })
  })

  it('prints the step that takes longer, and ends when a database does not answer', () => {
    const { status, errors, lines } = failingStart([], { DATABASE_URL: `postgres://me@127.0.0.1:${port}/x` })
    expect(lines).toContain(`Opening PostgreSQL at 127.0.0.1:${port}/x …`)
    expect(errors).toEqual([expect.stringMatching(/^DATABASE_URL: PostgreSQL at .* cannot be used/)])
    expect(status).toBe(1)
  })
})

describe('a second start over the same directory', () => {
  let first: ServerProcess
  beforeAll(async () => {
    first = await startServer()
  })
  afterAll(() => first?.[Symbol.asyncDispose]())

  it('ends with a message, and does not change the labs of the first', async () => {
    const { project_id: project }: { project_id: string } = await (
      await first.ask('/v1/projects', { method: 'POST', body: { temporary: true } })
    ).json()
    const { status, errors } = failingStart(['--data-dir', first.dataDirectory], all)
    expect(errors).toEqual([expect.stringMatching(/^Another server runs the labs of .*--data-dir/)])
    expect(status).toBe(1)
    expect((await first.ask(`/v1/projects/${project}`)).status).toBe(200)
  })

  it('serves the gateway and storage where it leaves emulation out', async () => {
    await using second = await startServer({
      dataDirectory: first.dataDirectory,
      environment: { TRIVIUM_SERVICES: 'gateway,storage' },
    })
    expect((await second.ask('/health')).status).toBe(200)
  })

  it('succeeds immediately after a crash of the first', async () => {
    await first.kill()
    await using second = await first.restart()
    expect((await second.ask('/v1/projects')).status).toBe(200)
  })
})

it('starts without Redis, and prints the consequence', async () => {
  await using server = await startServer({
    environment: { REDIS_URL: 'redis://127.0.0.1:1', TRIVIUM_SERVICES: 'gateway' },
  })
  expect(server.output()).toMatch(/state .*limits in Redis at 127\.0\.0\.1:1, which does not answer/)
})
