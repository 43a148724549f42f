import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { freePort } from '../replicas/free-port.ts'
import { createKey, type ServerProcess, startServer } from '../server-process.ts'
import { chunk, startUpstream } from '../upstream.ts'
import { sendToEach } from './each-connection.ts'
import { workersOf } from './workers-of.ts'

const models = '{"object":"list","data":[{"id":"m-1","object":"model","created":1,"owned_by":"them"}]}'
const answered =
  '{"id":"x","object":"chat.completion","created":1,"model":"m-1","choices":[{"index":0,"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}'

/** An upstream whose streams end when they are finished. */
async function startedUpstream() {
  const finishers: (() => void)[] = []
  const upstream = await startUpstream((request, response) => {
    const isStream = request.body.includes('"stream":true')
    response.setHeader('content-type', isStream ? 'text/event-stream' : 'application/json')
    if (request.path.endsWith('/models')) response.end(models)
    else if (!isStream) response.end(answered)
    else {
      response.write(chunk('first'))
      finishers.push(() => response.end(`${chunk('last')}${chunk('', 'stop')}data: [DONE]\n\n`))
    }
  })
  onTestFinished(upstream.close)
  return {
    url: upstream.url,
    finish() {
      for (const finish of finishers.splice(0)) finish()
    },
  }
}

async function startWorkers(environment: Readonly<Record<string, string>> = {}, args: readonly string[] = []) {
  const server = await startServer({
    args: ['--workers', '2', ...args],
    environment: { TRIVIUM_SERVICES: 'gateway', ...environment },
  })
  onTestFinished(() => server[Symbol.asyncDispose]())
  return { server, key: await createKey(server, { rate_limit: 100_000 }) }
}

const chat = (server: ServerProcess, key: string, isStream = false) =>
  fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'openai/m-1', stream: isStream, messages: [{ role: 'user', content: 'x' }] }),
  })

/** Replaces all workers, and resolves when the new ones have taken over. */
async function restartWorkers(server: ServerProcess): Promise<void> {
  const before = server.output().length
  server.process.kill('SIGUSR2')
  await expect.poll(() => server.output().slice(before), { timeout: 60_000 }).toMatch(/Worker 2 is process \d+ now/)
}

it('replaces its workers on SIGUSR2 under load, and refuses or cuts off no request and no stream', async () => {
  const upstream = await startedUpstream()
  const { server, key } = await startWorkers({ OPENAI_BASE_URL: upstream.url, TRIVIUM_IDLE_SECONDS: '3' })
  const before = workersOf(server)
  const streams = await Promise.all(Array.from({ length: 4 }, () => chat(server, key, true)))
  let isOver = false
  const load = Array.from({ length: 8 }, async () => {
    let count = 0
    while (!isOver) {
      const response = await chat(server, key)
      expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('"Hi"')])
      count += 1
    }
    return count
  })
  await restartWorkers(server)
  isOver = true
  for (const count of await Promise.all(load)) expect(count).toBeGreaterThan(0)
  upstream.finish()
  for (const stream of streams) expect(await stream.text()).toMatch(/first.*last.*\[DONE\]\n\n$/s)
  // The ones before end when their clients have left.
  await expect.poll(() => workersOf(server).filter((pid) => before.includes(pid)), { timeout: 90_000 }).toEqual([])
  expect(workersOf(server)).toHaveLength(2)
  const text = await (await server.ask('/metrics')).text()
  const counted = /^trivium_gateway_requests_total\{.*status="200"\} (\d+)$/m.exec(text)?.[1]
  expect(Number(counted)).toBe((await Promise.all(load)).reduce((sum, count) => sum + count, streams.length))
}, 180_000)

it('answers a request that arrives over an idle connection of a worker that was replaced', async () => {
  const { server } = await startWorkers()
  const { port, hostname: host } = new URL(server.url)
  const open = async () => {
    const socket = connect({ port: Number(port), host })
    let received = ''
    socket.setEncoding('utf8').on('data', (text: string) => {
      received += text
    })
    const ended = once(socket, 'close').then(() => received)
    socket.write('GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n')
    await expect.poll(() => received).toContain('HTTP/1.1 200')
    return { socket, ended }
  }
  const connections = [await open(), await open()]
  await restartWorkers(server)
  for (const { socket, ended } of connections) {
    socket.write('GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n')
    expect(await ended).toMatch(/200 OK.*200 OK.*connection: close/is)
  }
}, 120_000)

it('reports health from its first answer on, while further workers start', async () => {
  const port = await freePort()
  const starting = startWorkers({}, ['--workers', '3', '--port', String(port)])
  const isRunning = starting.then(() => true)
  const answers = new Set<string>()
  while (!(await Promise.race([isRunning, nextTurn(false)]))) {
    const answer = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined)
    if (answer) answers.add(await answer.text())
  }
  expect([...answers].filter((answer) => !answer.includes('"status":"healthy"'))).toEqual([])
})

it('replaces a worker that dies, and answers meanwhile', async () => {
  const { server, key } = await startWorkers()
  const [first = 0, second = 0] = workersOf(server)
  process.kill(first, 'SIGKILL')
  await expect.poll(() => server.output()).toMatch(new RegExp(`process ${first}\\) ended by SIGKILL. It is replaced`))
  const use = { path: '/v1/models', headers: { authorization: `Bearer ${key}` } }
  for (const { status } of await sendToEach(server, use)) expect(status).toBe(200)
  const health = async () => asText(await server.ask('/health'))
  await expect.poll(health, { timeout: 60_000 }).toMatch(/"status":"healthy".*"workers":"healthy"/)
  const now = workersOf(server)
  expect(now).toHaveLength(2)
  expect(now).toContain(second)
  expect(now).not.toContain(first)
}, 120_000)

it('answers or cuts every connection that arrives while a worker dies', async () => {
  const { server } = await startWorkers()
  const [first = 0] = workersOf(server)
  const ends = Array.from({ length: 40 }, async (_, index) => {
    if (index === 15) process.kill(first, 'SIGKILL')
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1').on('error', () => undefined)
    socket.end('GET /health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')
    socket.resume()
    await new Promise((resolve) => socket.once('close', resolve))
  })
  await Promise.all(ends)
}, 120_000)

const asText = (response: Response) => response.text()

it('finishes a stream on SIGTERM, and exits with 0 when all workers have ended', async () => {
  const upstream = await startedUpstream()
  const { server, key } = await startWorkers({ OPENAI_BASE_URL: upstream.url })
  const streams = await Promise.all(Array.from({ length: 4 }, () => chat(server, key, true)))
  const workers = workersOf(server)
  // As a terminal and a service manager do.
  for (const pid of workers) process.kill(pid, 'SIGINT')
  for (const pid of workers) process.kill(pid, 'SIGTERM')
  const stopped = server.stop()
  const isRefused = async () => (await fetch(`${server.url}/health`).catch(() => undefined)) === undefined
  await expect.poll(isRefused).toBe(true)
  upstream.finish()
  for (const stream of streams) expect(await stream.text()).toMatch(/first.*last.*\[DONE\]\n\n$/s)
  expect(await stopped).toBe(0)
}, 120_000)

it('ends its workers when it is killed, so that the next start has its port', async () => {
  const { server } = await startWorkers()
  const workers = workersOf(server)
  await server.kill()
  const isRunning = (pid: number) => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  await expect.poll(() => workers.filter(isRunning), { timeout: 30_000 }).toEqual([])
  await using again = await server.restart()
  expect((await again.ask('/health')).status).toBe(200)
}, 120_000)

it('loads a changed file on SIGHUP in all workers, also in those that begin later, and none of one with a mistake', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'trivium-config-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const file = join(directory, 'trivium.yaml')
  writeFileSync(file, 'models: { first: local/echo-no-llm }\n')
  const { server, key } = await startWorkers({}, ['--config', file])
  const ask = (model: string) =>
    sendToEach(server, {
      method: 'POST',
      path: '/v1/chat/completions',
      headers: { authorization: `Bearer ${key}` },
      body: { model, messages: [{ role: 'user', content: 'x' }] },
    })
  for (const { status } of await ask('first')) expect(status).toBe(200)
  writeFileSync(file, 'models: { second: local/echo-no-llm }\n')
  server.process.kill('SIGHUP')
  await expect.poll(() => server.output(), { timeout: 20_000 }).toContain('The configuration was loaded again')
  for (const { status } of await ask('second')) expect(status).toBe(200)
  for (const { status } of await ask('first')) expect(status).toBe(404)
  writeFileSync(file, 'models: { third: absent/m }\n')
  await expect.poll(() => server.output(), { timeout: 20_000 }).toContain('The one before stays')
  await restartWorkers(server)
  for (const { status } of await ask('second')) expect(status).toBe(200)
}, 180_000)
