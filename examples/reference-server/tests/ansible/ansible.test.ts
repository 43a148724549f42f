import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requireProgram } from '../require-program.ts'
import { ADMIN_PASSWORD, type ServerProcess, startServer } from '../server-process.ts'

const run = promisify(execFile)

interface TaskResult {
  readonly changed?: boolean
  readonly failed?: boolean
  readonly msg?: string
  readonly response?: { readonly num_records?: number; readonly records?: readonly Readonly<Record<string, unknown>>[] }
  readonly ontap_info?: Readonly<Record<string, { readonly num_records: number }>>
}

interface PlaybookOutput {
  readonly plays: readonly {
    readonly tasks: readonly {
      readonly task: { readonly name: string }
      readonly hosts: { readonly localhost: TaskResult }
    }[]
  }[]
}

const installed = await requireProgram('ansible-playbook', 'ansible python3-requests')

describe.skipIf(!installed)("NetApp's Ansible collection", () => {
  let server: ServerProcess
  let directory: string
  const results = new Map<string, TaskResult>()

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'trivium-tls-'))
    const [key, certificate] = [join(directory, 'key.pem'), join(directory, 'cert.pem')]
    await run('openssl', [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'],
      ...['-keyout', key, '-out', certificate],
    ])
    server = await startServer({ args: ['--tls-cert', certificate, '--tls-key', key] })
    const { hostname, port } = new URL(server.url)
    const variables = JSON.stringify({ host: hostname, port: Number(port), password: ADMIN_PASSWORD })
    const playbook = join(import.meta.dirname, 'storage.yml')
    const stdout = await play(['-e', variables, playbook])
    const output: PlaybookOutput = JSON.parse(stdout.slice(stdout.indexOf('{')))
    for (const { task, hosts } of output.plays.flatMap(({ tasks }) => tasks)) results.set(task.name, hosts.localhost)
  }, 180_000)
  afterAll(() => server?.[Symbol.asyncDispose]())

  /** Returns the output. A failed task ends the play with a status, and the output names the task. */
  const play = async (args: readonly string[]): Promise<string> => {
    const environment = {
      PATH: process.env.PATH,
      HOME: directory,
      LC_ALL: 'C.UTF-8',
      PYTHONWARNINGS: 'ignore',
      ANSIBLE_STDOUT_CALLBACK: 'json',
      ANSIBLE_LOCALHOST_WARNING: 'False',
      ANSIBLE_PYTHON_INTERPRETER: '/usr/bin/python3',
    }
    const command = run('ansible-playbook', ['-i', 'localhost,', ...args], { maxBuffer: 2 ** 26, env: environment })
    const { stdout } = await command.catch((error: unknown) => {
      if (error instanceof Error && 'stdout' in error) return { stdout: String(error.stdout) }
      throw error
    })
    return stdout
  }

  it('runs every task', () => {
    expect([...results].filter(([, { failed }]) => failed)).toEqual([])
    expect([...results.keys()].at(-1)).toBe('tree quota deleted again')
  })

  it.each([
    'qtree created',
    'tree quota created',
    'tree quota modified',
    'user quota created',
    'users of one quota',
    'user quota by id created',
    'default user quota modified',
    'group quota created',
    'group quota deleted',
    'quota switched off',
    'token created',
    'qtree created by its path',
    'tree quota deleted',
  ])('reports a change for the task "%s"', (name) => {
    expect(results.get(name)).toMatchObject({ changed: true })
  })

  it.each([
    'qtree created again',
    'tree quota created again',
    'user quota created again',
    'users of one quota again',
    'tree quota deleted again',
  ])('reports no change for the task "%s"', (name) => {
    expect(results.get(name)).toMatchObject({ changed: false })
  })

  it('reads tokens in the form of ONTAP', () => {
    expect(results.get('token created')?.response?.records?.[0]).toMatchObject({
      reserve_size: 41943040,
      expiry_time: { limit: 'PT1H10M' },
    })
    expect(results.get('tokens listed')?.response).toMatchObject({
      num_records: 1,
      records: [{ _links: { self: {} } }],
    })
    expect(results.get('token read')?.response).toMatchObject({ expiry_time: { limit: 'PT2H' } })
  })

  it('lists page by page', () => {
    const info = results.get('rules listed page by page')?.ontap_info
    expect(info?.storage_quota_rules?.num_records).toBeGreaterThan(3)
    expect(info?.storage_qtrees?.num_records).toBeGreaterThanOrEqual(2)
  })

  it('runs the playbook of docs/storage.md', async () => {
    const document = readFileSync(join(import.meta.dirname, '../../../../docs/storage.md'), 'utf8')
    const [, playbook = ''] = /^```yaml\n(.*?)^```$/ms.exec(document) ?? []
    writeFileSync(join(directory, 'quota.yml'), playbook.replace('8787', new URL(server.url).port))
    mkdirSync(join(directory, '.trivium'))
    writeFileSync(join(directory, '.trivium/admin-password'), ADMIN_PASSWORD)
    const stdout = await play([join(directory, 'quota.yml')])
    expect(JSON.parse(stdout.slice(stdout.indexOf('{')))).toMatchObject({
      stats: { localhost: { ok: 2, changed: 2, failures: 0 } },
    })
  }, 60_000)
})
