import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLab } from '../emulation/lab.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { eventually, gaugesOf } from './process-gauges.ts'
import { rawClient, sendRepeatedly } from './raw-clients.ts'
import { frame, handshake } from './web-socket-frames.ts'

describe.each(['fastify', 'express', 'fetch'] as const)('a console over WebSocket and %s', (transport) => {
  let server: ServerProcess
  let path: string

  beforeAll(async () => {
    const environment = { NODE_OPTIONS: '--max-old-space-size=160 --max-semi-space-size=8' }
    server = await startServer({ transport, environment })
    const lab = await createLab(server)
    const { vm_id } = await lab.create('emu3', { name: 'PC1' })
    await lab.start('emu3', vm_id)
    path = `${lab.path}/emu3/vms/${vm_id}/console/ws`
  }, 60_000)
  afterAll(() => server?.[Symbol.asyncDispose]())

  const open = async () => {
    const client = await rawClient(server, handshake(path, server.admin))
    await eventually(() => client.received().startsWith('HTTP/1.1 101 '))
    return client
  }
  const isHealthy = async () => (await server.ask('/v1/version')).status === 200

  it.each([
    ['an oversized message', frame('binary', Buffer.alloc(2 ** 20))],
    ['a frame that only announces a huge length', Buffer.from([0x82, 0xff, 0, 0, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0])],
    [
      'a message of too many fragments',
      Buffer.concat([
        frame('text', 'a', { final: false }),
        ...Array(70_000).fill(frame('continuation', 'a', { final: false })),
      ]),
    ],
    ['a continuation without a first fragment', frame('continuation', 'a')],
    ['a frame without a mask', Buffer.from([0x81, 0x01, 0x61])],
    ['text that is not UTF-8', frame('text', new Uint8Array([0xff, 0xfe]))],
    ['reserved bits', Buffer.from([0xf1, 0x81, 0, 0, 0, 0, 0x61])],
  ])('closes on %s', async (_, bytes) => {
    const client = await open()
    client.socket.write(bytes)
    await client.closed
    expect(await isHealthy()).toBe(true)
  })

  it.each([
    ['pings', [frame('ping', 'x'.repeat(125))]],
    ['empty fragments', [frame('text', 'a', { final: false }), frame('continuation', '', { final: false })]],
    ['keys', [frame('text', 'x'.repeat(125))]],
    ['lines', [frame('text', 'help\r'.repeat(25))]],
  ])('takes little memory and delays no other client when its client sends endless %s and does not read', async (_, frames) => {
    const { residentMegabytes } = gaugesOf(server)
    expect(await isHealthy()).toBe(true)
    const before = residentMegabytes()
    const client = await open()
    client.socket.pause()
    for (const bytes of frames.slice(0, -1)) client.socket.write(bytes)
    let hasEnded = false
    const sending = sendRepeatedly(client, Buffer.concat(Array(1000).fill(frames.at(-1))), 2 ** 26).then(() => {
      hasEnded = true
    })
    let answers = 0
    while (answers < 20 && !hasEnded) if (await isHealthy()) answers += 1
    client.socket.destroy()
    await sending
    expect(await isHealthy()).toBe(true)
    expect(residentMegabytes() - before).toBeLessThan(96)
  })
})
