import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { redisAnswers, redisUrl } from '../../../packages/redis-repositories/tests/test-redis.ts'
import { requireProgram } from '../../reference-server/tests/require-program.ts'
import { chunk, startUpstream, type Upstream } from '../../reference-server/tests/upstream.ts'

const postgresUrl = process.env.TEST_POSTGRES_URL || 'postgres://root@127.0.0.1:5432/test'
const nginx = await requireProgram('nginx', 'nginx')
const postgres = await answers()
const PASSWORD = 'correct horse battery staple'

describe.runIf(nginx && postgres && redisAnswers)('three replicas behind nginx', { timeout: 60_000 }, () => {
  const name = `trivium_${randomBytes(8).toString('hex')}`
  const directory = mkdtempSync(join(tmpdir(), 'trivium-replicas-'))
  let upstream: Upstream
  let finish: (() => void) | undefined
  let child: ChildProcess
  let exited: Promise<unknown[]>
  let url: string
  let ports: readonly string[]

  beforeAll(async () => {
    upstream = await startUpstream((request, response) => {
      if (request.path.endsWith('/models')) {
        response.setHeader('content-type', 'application/json')
        response.end('{"object":"list","data":[{"id":"m-1","object":"model","created":1,"owned_by":"them"}]}')
        return
      }
      response.setHeader('content-type', 'text/event-stream')
      response.write(chunk('first'))
      finish = () => response.end(`${chunk('last')}${chunk('', 'stop')}data: [DONE]\n\n`)
    })
    const database = new URL(postgresUrl)
    database.pathname = `/${name}`
    child = spawn(process.execPath, ['--conditions=@trivium/source', join(import.meta.dirname, '../src/main.ts')], {
      env: {
        PATH: process.env.PATH,
        HOME: directory,
        PORT: '0',
        TRIVIUM_DATA_DIR: directory,
        TRIVIUM_ADMIN_PASSWORD: PASSWORD,
        DATABASE_URL: database.href,
        REDIS_URL: redisUrl,
        OPENAI_BASE_URL: upstream.url,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    exited = once(child, 'exit')
    if (!child.stdout) throw new Error('no output')
    for await (const line of createInterface(child.stdout)) {
      const [, replicas = '', address] = /ports ([\d, ]+)\).*(http:\S+)/.exec(line) ?? []
      if (address === undefined) continue
      url = address
      ports = replicas.split(', ')
      break
    }
    child.stdout.resume()
  }, 60_000)
  afterAll(async () => {
    child.kill('SIGTERM')
    await exited
    await upstream.close()
    rmSync(directory, { recursive: true, force: true })
    await administer(`drop database if exists ${name} with (force)`)
  })

  const asAdmin = (path: string, body?: unknown) =>
    fetch(`${url}${path}`, {
      headers: { authorization: `Basic ${btoa(`admin:${PASSWORD}`)}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    })

  const newKey = async (fields: object = {}): Promise<string> => {
    const response = await asAdmin('/v1/auth/generate-key', { username: 'test', ...fields })
    const { api_key: key }: { api_key: string } = await response.json()
    return key
  }

  const chat = (key: string) =>
    fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'openai/m-1', stream: true, messages: [{ role: 'user', content: 'x' }] }),
    })

  const replicaProcesses = (): readonly number[] =>
    readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .map(Number)
      .filter((pid) => commandLine(pid).includes('start.js'))

  it('forward each token of a stream immediately', async () => {
    const response = await chat(await newKey())
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    while (!text.includes('first')) text += (await reader?.read())?.value ?? ''
    expect(text).not.toContain('last')
    finish?.()
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) text += part.value
    expect(text).toMatch(/last.*\[DONE\]\n\n$/s)
  })

  it('close the request to the upstream immediately when a client disconnects', async () => {
    const response = await chat(await newKey())
    const cut = upstream.cut()
    await response.body?.cancel()
    await cut
  })

  it('apply a limit over all replicas', async () => {
    const key = await newKey({ rate_limit: 20 })
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async () => {
        const response = await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })
        await response.arrayBuffer()
        return response.status
      }),
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(20)
    expect(statuses.filter((status) => status === 429)).toHaveLength(40)
  })

  it('send every request for a lab to the replica with the labs', async () => {
    const created = await asAdmin('/v1/projects', {})
    expect(created.status).toBe(201)
    const { project_id: id }: { project_id: string } = await created.json()
    const statuses = await Promise.all(
      Array.from({ length: 6 }, async () => (await asAdmin(`/v1/projects/${id}`)).status),
    )
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200])
    expect(created.headers.get('server')).toMatch(/^Trivium/)
  })

  it('serve one storage', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, async () => (await asAdmin('/api/storage/volumes?fields=*')).text()),
    )
    expect(new Set(answers).size).toBe(1)
    expect(JSON.parse(answers[0] ?? '')).toMatchObject({ num_records: 1, records: [{ name: 'vol1' }] })
  })

  it('answer while one of them is down, which is started again', async () => {
    const key = await newKey()
    const before = replicaProcesses()
    const [victim = 0] = before
    process.kill(victim, 'SIGKILL')
    const restarted = () => replicaProcesses().some((pid) => !before.includes(pid))
    let answered = 0
    while (!restarted() || answered < 50) {
      const response = await fetch(`${url}/v1/auth/validate`, { headers: { authorization: `Bearer ${key}` } })
      expect(await response.json()).toMatchObject({ valid: true })
      answered += 1
    }
    await vi.waitFor(
      async () => {
        for (const port of ports) expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200)
      },
      { timeout: 40_000, interval: 50 },
    )
    expect(replicaProcesses()).not.toContain(victim)
  })

  it('end with all processes on SIGTERM', async () => {
    child.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
    for (const address of [url, ...ports.map((port) => `http://127.0.0.1:${port}`)])
      await expect(fetch(address)).rejects.toThrow()
  })
})

/** Returns the command line of a process; empty where it has ended. */
function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl, connectionTimeoutMillis: 3000 })
  try {
    await client.connect()
    await client.query(statement)
  } finally {
    await client.end()
  }
}

async function answers(): Promise<boolean> {
  try {
    await administer('select 1')
    return true
  } catch (cause) {
    const problem = `PostgreSQL does not answer at ${new URL(postgresUrl).host}`
    if (process.env.TRIVIUM_REQUIRE_SERVICES === '1') throw new Error(problem, { cause })
    console.warn(`Skipped: ${problem}`)
    return false
  }
}
