import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { canMount, type LoopMount, mountLoop } from '../../../packages/linux-volumes/tests/loop-mount.ts'
import { createLab, switchPlug } from './emulation/lab.ts'
import { createKey, type ServerProcess, startServer } from './server-process.ts'
import { storageClient } from './storage/storage-client.ts'
import { chunk, startUpstream } from './upstream.ts'

const run = promisify(execFile)

const models = '{"object":"list","data":[{"id":"m-1","object":"model","created":1,"owned_by":"them"}]}'

/** Opens an answer as a stream, and reads its first piece. The result reads the rest, and rejects where it is cut off. */
async function openStream(response: Promise<Response>): Promise<() => Promise<string>> {
  const reader = (await response).body?.pipeThrough(new TextDecoderStream()).getReader()
  const first = await reader?.read()
  expect(first?.done).toBe(false)
  return async () => {
    let rest = ''
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) rest += next.value
    return rest
  }
}

/** Opens a connection and sends the first bytes. The result resolves with everything that is received until its end. */
async function openConnection({ url }: ServerProcess, first: string) {
  const { port, hostname: host } = new URL(url)
  const socket = connect({ port: Number(port), host })
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text
  })
  const ended = once(socket, 'close').then(() => received)
  await once(socket, 'connect')
  socket.write(first)
  return { socket, ended }
}

describe.each(['fastify', 'express', 'fetch'] as const)('a server with %s that gets SIGTERM', (transport) => {
  it('ends streams without an end, completes running answers, closes sockets and exits with 0', async () => {
    let finish = () => {}
    const upstream = await startUpstream((request, response) => {
      if (request.path.endsWith('/models')) {
        response.setHeader('content-type', 'application/json')
        response.end(models)
        return
      }
      response.setHeader('content-type', 'text/event-stream')
      response.write(chunk('first'))
      finish = () => response.end(`${chunk('last')}${chunk('', 'stop')}data: [DONE]\n\n`)
    })
    try {
      await using server = await startServer({ transport, environment: { OPENAI_BASE_URL: upstream.url } })
      const key = await createKey(server)
      const lab = await createLab(server)
      const { vm_id } = await lab.create('emu3', { name: 'PC1' })
      await lab.start('emu3', vm_id)

      const chat = await openStream(
        fetch(`${server.url}/v1/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ model: 'openai/m-1', stream: true, messages: [{ role: 'user', content: 'x' }] }),
        }),
      )
      const notifications = await openStream(server.ask(`${lab.path}/notifications`))
      const activities = await openStream(server.ask('/console/api/activities'))
      const nic = `emu3/vms/${vm_id}/adapters/0/ports/0`
      await lab.cable({ path: `${nic}/nio` }, switchPlug(await lab.createSwitch('SW1'), 1, 'access', 1))
      await lab.call('POST', `${lab.path}/${nic}/start_capture`, { capture_file_name: 'a.pcap' })
      const capture = await openStream(server.ask(`${lab.path}/${nic}/capture/stream`))
      const followed = (await server.ask(`${lab.path}/captures/a.pcap?follow=true`)).bytes()
      const path = `${lab.path}/emu3/vms/${vm_id}/console/ws`
      const socket = new WebSocket(`${server.url.replace('http', 'ws')}${path}`, {
        headers: { authorization: server.admin },
      })
      await once(socket, 'open')
      const idle = await openConnection(server, 'GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n')
      const half = await openConnection(
        server,
        `POST /v1/projects HTTP/1.1\r\nhost: localhost\r\nauthorization: ${server.admin}\r\ncontent-length: 2\r\n\r\n{`,
      )
      await once(idle.socket, 'data')

      const stopped = server.stop()
      const streams = [notifications(), activities(), capture()]
      const [closed, file] = await Promise.all([once(socket, 'close'), followed, idle.ended, ...streams])
      expect(closed[0]).toBe(1001)
      // The magic number of a capture file.
      expect(Buffer.from(file).readUInt32LE()).toBe(0xa1b2c3d4)
      half.socket.write('}')
      expect(await half.ended).toMatch(/^HTTP\/1\.1 (201|503) .*connection: close/is)
      finish()
      expect(await chat()).toMatch(/last.*\[DONE\]\n\n$/s)
      expect(await stopped).toBe(0)
    } finally {
      await upstream.close()
    }
  }, 60_000)
})

describe.skipIf(!(await canMount('btrfs')))('a server with requests that wait for jobs', () => {
  let mount: LoopMount
  beforeAll(async () => {
    mount = await mountLoop('btrfs', 320)
  }, 60_000)
  afterAll(() => mount?.unmount())

  it.each([
    'fastify',
    'express',
    'fetch',
  ] as const)('returns the job when %s gets SIGTERM, and exits with 0 when the job has ended', async (transport) => {
    await using server = await startServer({
      transport,
      environment: { TRIVIUM_VOLUMES: `vol1=${mount.directory}`, TRIVIUM_SERVICES: 'storage' },
    })
    await storageClient(server).volume('vol1')
    await run('fsfreeze', ['--freeze', mount.directory])
    let stopped: Promise<number | null>
    try {
      const body = { svm: { name: 'svm1' }, volume: { name: 'vol1' }, name: `of-${transport}` }
      const answer = server.ask('/api/storage/qtrees?return_timeout=100', { method: 'POST', body })
      const isRunning = async () => (await storageClient(server).list('/cluster/jobs?state=running')).num_records > 0
      await expect.poll(isRunning).toBe(true)
      stopped = server.stop()
      const { status, headers } = await answer
      expect([status, headers.get('connection')]).toEqual([202, 'close'])
    } finally {
      await run('fsfreeze', ['--unfreeze', mount.directory])
    }
    expect(await stopped).toBe(0)
  }, 60_000)
})
