import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { asRecord, createLab } from '../emulation/lab.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { sendToEach } from './each-connection.ts'

describe.each(['fastify', 'express', 'fetch'] as const)('a server with two workers over %s', (transport) => {
  let server: ServerProcess
  beforeAll(async () => {
    server = await startServer({ transport, args: ['--workers', '2'] })
  }, 120_000)
  afterAll(() => server?.[Symbol.asyncDispose]())

  it.each([
    '/api/cluster',
    '/v1/projects',
    '/console/api/host',
    '/console/quotas.html',
    '/openapi.json',
    '/docs',
    '/metrics',
    '/health',
    '/v1/auth/keys',
  ])('answers %s at every worker', async (path) => {
    for (const { status } of await sendToEach(server, { path, headers: { authorization: server.admin } })) {
      expect(status).toBe(200)
    }
  })

  it('answers a path that no process has with 404', async () => {
    for (const { status, text } of await sendToEach(server, { path: '/nothing' })) {
      expect([status, asRecord(JSON.parse(text)).status]).toEqual([404, 404])
    }
  })

  it('has one state of labs, which a change at one worker shows at the others', async () => {
    const lab = await createLab(server)
    const { vm_id } = await lab.create('emu3', { name: 'PC1' })
    const path = `${lab.path}/emu3/vms/${vm_id}`
    for (const { text } of await sendToEach(server, { path, headers: { authorization: server.admin } })) {
      expect(asRecord(JSON.parse(text)).name).toBe('PC1')
    }
  })

  it('opens the console of an instance over a WebSocket at every worker', async () => {
    const lab = await createLab(server)
    const { vm_id } = await lab.create('emu3', { name: 'PC1' })
    await lab.start('emu3', vm_id)
    const url = `${server.url.replace('http', 'ws')}${lab.path}/emu3/vms/${vm_id}/console/ws`
    for (let index = 0; index < 4; index += 1) {
      const socket = new WebSocket(url, { headers: { authorization: server.admin } })
      let seen = ''
      socket.on('message', (data) => {
        seen += String(data)
      })
      await once(socket, 'open')
      socket.send(`echo ${index}\r`)
      await expect.poll(() => seen).toContain(`echo ${index}`)
      socket.close(1000)
      expect((await once(socket, 'close'))[0]).toBe(1000)
    }
  })

  it('shows the requests of every worker in the activities of the console', async () => {
    const activities = await server.ask('/console/api/activities')
    const reader = activities.body?.pipeThrough(new TextDecoderStream()).getReader()
    await sendToEach(server, {
      method: 'POST',
      path: '/v1/chat/completions',
      headers: { authorization: server.admin },
      body: { model: 'local/echo-no-llm', messages: [{ role: 'user', content: 'Hello' }] },
    })
    let seen = ''
    while (!seen.includes('requests to local/echo-no-llm') && !seen.includes('request to local/echo-no-llm')) {
      const next = await reader?.read()
      if (!next || next.done) throw new Error(`the activities have ended:\n${seen}`)
      seen += next.value
    }
    await reader?.cancel()
  })

  it('answers 413 to a client that sends all of a body that is too large before it reads', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    const body = Buffer.alloc(2 ** 23)
    const lines = ['POST /v1/projects HTTP/1.1', 'host: 127.0.0.1', `authorization: ${server.admin}`]
    socket.write(
      `${[...lines, 'content-type: application/json', `content-length: ${body.length}`].join('\r\n')}\r\n\r\n`,
    )
    await new Promise((sent) => socket.write(body, sent))
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1.1 413 /)
    socket.destroy()
  })

  it('lets no client state whose request it is', async () => {
    const headers = { authorization: server.admin, 'x-trivium-hop': 'guessed http 192.0.2.1' }
    for (const { status } of await sendToEach(server, { path: '/api/cluster', headers })) expect(status).toBe(200)
    const [directory = ''] = readdirSync(server.dataDirectory).filter((name) => name.startsWith('workers-'))
    const socketPath = join(server.dataDirectory, directory, 'socket')
    expect(statSync(join(server.dataDirectory, directory)).mode & 0o777).toBe(0o700)
    expect(statSync(socketPath).mode & 0o777).toBe(0o600)
    const sent = request({ socketPath, path: '/api/cluster', headers })
    sent.end()
    const [error] = await once(sent, 'error')
    expect(error.code).toBe('ECONNRESET')
  })
})

it('reports the address of a client to the audit log of the one process', async () => {
  await using server = await startServer({ args: ['--workers', '2'], environment: { TRIVIUM_AUDIT_LOG: '-' } })
  const services = { '/v1/projects': '127.0.0.77', '/v1/auth/keys': '127.0.0.78' }
  for (const [path, localAddress] of Object.entries(services)) {
    await sendToEach(server, { path, headers: { authorization: 'Bearer wrong' }, localAddress })
  }
  await expect.poll(() => server.output()).toMatch(/"from":"127\.0\.0\.77","service":"emulation"/)
  await expect.poll(() => server.output()).toMatch(/"from":"127\.0\.0\.78","service":"gateway"/)
  // It was started once.
  expect(server.output().match(/"event":"started"/g)).toHaveLength(1)
}, 120_000)

it('removes its socket at its end', async () => {
  await using server = await startServer({ args: ['--workers', '2'], environment: { TRIVIUM_SERVICES: 'gateway' } })
  expect(await server.stop()).toBe(0)
  expect(readdirSync(server.dataDirectory).filter((name) => name.startsWith('workers-'))).toEqual([])
}, 120_000)
