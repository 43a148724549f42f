import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { createKey, type ServerProcess, startServer } from '../server-process.ts'
import { type FakeModelServer, fakeModelServer, wholeStream } from './fake-model-server.ts'

const RELOADS = 6
const WORKERS = 4

describe.each([
  'fastify',
  'express',
  'fetch',
] as const)('a configuration that changes under load, with %s', (transport) => {
  const directory = mkdtempSync(join(tmpdir(), 'trivium-config-'))
  const file = join(directory, 'config.yaml')
  const upstreams: FakeModelServer[] = []
  let server: ServerProcess
  let key: string

  const textFor = (name: 'one' | 'two', more = '') => `
trivium_services: gateway
upstreams:
  - { id: one, kind: openai, base_url: '${upstreams[0]?.url}', models: [m] }
  - { id: two, kind: openai, base_url: '${upstreams[1]?.url}', models: [m] }
models:
  current: ${name}/m
  only-${name}: ${name}/m
${more}`

  const loads = () => server.output().split('The configuration was loaded again').length - 1

  /** As editors and deployments replace a file. */
  const replaceFile = (text: string) => {
    writeFileSync(`${file}.new`, text)
    renameSync(`${file}.new`, file)
  }

  const loaded = async (change: () => void): Promise<void> => {
    const before = loads()
    change()
    await expect.poll(loads).toBe(before + 1)
  }

  const post = (body: object) =>
    fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }], ...body }),
    })

  const answerOf = async (model: string): Promise<string> => {
    const response = await post({ model })
    const body = await response.text()
    return response.ok ? JSON.parse(body).choices[0].message.content : `${response.status} ${body}`
  }

  beforeAll(async () => {
    upstreams.push(await fakeModelServer('one'), await fakeModelServer('two'))
    writeFileSync(file, textFor('one'))
    server = await startServer({ transport, args: ['--config', file] })
    key = await createKey(server, { rate_limit: 100_000 })
  }, 120_000)
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    for (const upstream of upstreams) await upstream.close()
    rmSync(directory, { recursive: true })
  })

  it('fails no request, no stream and no session, and is used by the next request', async () => {
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/v1/realtime?model=one/m`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const heard: string[] = []
    socket.on('message', (data) => heard.push(String(data)))
    await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject))

    let isChanging = true
    const failed: string[] = []
    let requests = 0
    let streams = 0
    const ask = async () => {
      while (isChanging) {
        const answer = await answerOf('current')
        requests += 1
        if (answer !== 'one' && answer !== 'two') failed.push(answer)
      }
    }
    const stream = async () => {
      while (isChanging) {
        const response = await post({ model: 'current', stream: true })
        const text = await response.text()
        streams += 1
        const names = new Set([...text.matchAll(/"content":"(one|two) "/g)].map(([, name]) => name))
        const chunks = text.split('"chat.completion.chunk"').length - 1
        const isWhole = text.trimEnd().endsWith('[DONE]') && chunks === wholeStream && names.size === 1
        if (!isWhole) failed.push(`${response.status} ${chunks} ${text.slice(-500)}`)
      }
    }
    const load = [...Array.from({ length: WORKERS }, ask), ...Array.from({ length: WORKERS }, stream)]

    for (let round = 1; round <= RELOADS; round += 1) {
      const name = round % 2 === 1 ? 'two' : 'one'
      await loaded(() => (round % 3 === 0 ? writeFileSync(file, textFor(name)) : replaceFile(textFor(name))))
      expect(await answerOf('current')).toBe(name)
      expect(await answerOf(`only-${name}`)).toBe(name)
      expect(await answerOf(`only-${name === 'one' ? 'two' : 'one'}`)).toContain('404')
      if (round !== RELOADS / 2) continue
      replaceFile(textFor(name, 'cahce: {}\n'))
      await expect.poll(() => server.output()).toContain('cahce: is not a key of the file. Did you mean cache?')
      expect(await answerOf('current')).toBe(name)
    }
    isChanging = false
    await Promise.all(load)
    expect(failed).toEqual([])
    expect(requests).toBeGreaterThan(RELOADS)
    expect(streams).toBeGreaterThanOrEqual(WORKERS)

    // The session is still with the gateway that has opened it.
    const before = heard.length
    socket.send(JSON.stringify({ type: 'input_audio_buffer.clear' }))
    await expect.poll(() => heard.length).toBeGreaterThan(before)
    expect(heard.at(-1)).toContain('"from":"one"')
    socket.close()
  })

  it('names what needs a restart, and keeps it', async () => {
    await loaded(() => replaceFile(textFor('one', 'port: 1\ntrivium_data_dir: elsewhere\n')))
    // Both are set by flags, which have precedence.
    expect(server.output()).not.toContain('A restart is needed')
    await loaded(() => replaceFile(textFor('one', 'host: "::1"\nlabs: { capture_days: 3 }\n')))
    expect(server.output()).toContain('A restart is needed for host, trivium_capture_days.')
    expect(await answerOf('current')).toBe('one')
  })

  it('counts the requests of all gateways in the same metrics', async () => {
    const text = await (await server.ask('/metrics')).text()
    const counts = text.split('\n').filter((line) => line.includes('requests') && line.includes('status="200"'))
    const providers = new Set(counts.map((line) => /gen_ai_provider_name="(\w+)"/.exec(line)?.[1]))
    expect([...providers].sort()).toEqual(['one', 'two'])
  })

  it('leaves the configuration on SIGHUP where the file has not changed', async () => {
    server.process.kill('SIGHUP')
    await expect.poll(() => server.output()).toContain('The configuration has not changed.')
    expect(await answerOf('current')).toBe('one')
  })
})
