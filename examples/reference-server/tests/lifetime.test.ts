import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createKey, startServer } from './server-process.ts'
import { chunk, startUpstream } from './upstream.ts'

describe('the server', () => {
  it('keeps every answered key when it is killed', async () => {
    await using first = await startServer()
    const answered: string[] = []
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let index = 0; index < 1000; index += 1)
        answered.push(await createKey(first, { username: `user-${writer}`, name: `key-${index}` }))
    })
    const settled = Promise.allSettled(writers)
    while (answered.length < 40) await new Promise(setImmediate)
    await first.kill()
    await settled
    await using second = await first.restart()
    for (const key of answered) {
      const response = await fetch(`${second.url}/v1/auth/validate`, { headers: { authorization: `Bearer ${key}` } })
      expect(await response.json()).toMatchObject({ valid: true })
    }
  }, 60_000)

  it('completes running streams on SIGTERM and exits with 0', async () => {
    let finish: (() => void) | undefined
    const upstream = await startUpstream((request, response) => {
      if (request.path.endsWith('/models')) {
        response.setHeader('content-type', 'application/json')
        response.end('{"object":"list","data":[{"id":"m-1","object":"model","created":1,"owned_by":"them"}]}')
        return
      }
      response.setHeader('content-type', 'text/event-stream')
      response.write(chunk('first'))
      finish = () => response.end(`${chunk('last')}${chunk('', 'stop')}data: [DONE]\n\n`)
    })
    try {
      await using server = await startServer({ environment: { OPENAI_BASE_URL: upstream.url } })
      const response = await fetch(`${server.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${await createKey(server)}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'openai/m-1', stream: true, messages: [{ role: 'user', content: 'x' }] }),
      })
      const stopped = server.stop()
      const refused = async () => {
        const late = await fetch(`${server.url}/health`).catch(() => undefined)
        return late === undefined
      }
      while (!(await refused())) await new Promise(setImmediate)
      finish?.()
      expect(await response.text()).toMatch(/first.*last.*\[DONE\]\n\n$/s)
      expect(await stopped).toBe(0)
    } finally {
      await upstream.close()
    }
  }, 60_000)

  it('stores the password that it made, readable by its owner only, and prints it once', async () => {
    await using server = await startServer({ environment: { TRIVIUM_ADMIN_PASSWORD: '' } })
    const file = join(server.dataDirectory, 'admin-password')
    const password = readFileSync(file, 'utf8').trim()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(server.output()).toContain(password)
    await server.stop()
    await using again = await server.restart()
    expect(again.output()).not.toContain(password)
    const response = await fetch(`${again.url}/metrics`, { headers: { authorization: `Bearer ${password}` } })
    expect(response.status).toBe(200)
  }, 60_000)

  it('refuses callers without the right password, and answers open paths', async () => {
    await using server = await startServer()
    const statuses = async (headers: Record<string, string>) =>
      Promise.all(
        ['/metrics', '/v1/projects', '/api/cluster', '/v1/models', '/v1/usage'].map(async (path) => {
          const response = await fetch(`${server.url}${path}`, { headers })
          return response.status
        }),
      )
    expect(await statuses({})).toEqual([401, 401, 401, 401, 401])
    expect(await statuses({ authorization: `Basic ${btoa('admin:wrong')}` })).toEqual([401, 401, 401, 401, 401])
    for (const path of ['/health', '/docs', '/openapi.json', '/v1/auth/validate']) {
      expect((await fetch(`${server.url}${path}`)).status, path).toBe(200)
    }
    const foreign = await fetch(`${server.url}/health`, { headers: { origin: 'https://evil.example' } })
    expect(foreign.status).toBe(403)
  }, 60_000)
})
