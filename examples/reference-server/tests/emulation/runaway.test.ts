import { createSocket } from 'node:dgram'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServerProcess, startServer } from '../server-process.ts'
import { asRecord, createLab, type Lab, switchPlug, vmPlug } from './lab.ts'

const requests = 40

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor(share * (values.length - 1))] ?? 0

describe('the API of the reference server', () => {
  let server: ServerProcess
  let lab: Lab

  beforeAll(async () => {
    server = await startServer()
    lab = await createLab(server)
  }, 60_000)
  afterAll(() => server?.[Symbol.asyncDispose]())

  /** Creates, reads and deletes instances, and expects that each request succeeds. */
  const measureApi = async (what: string): Promise<void> => {
    const milliseconds: number[] = []
    for (let count = 0; count < requests; count += 1) {
      const start = performance.now()
      const { vm_id: id } = await lab.create('emu3', { name: `during-${count}` })
      await lab.call('GET', `${lab.path}/emu3/vms/${id}`)
      await lab.call('DELETE', `${lab.path}/emu3/vms/${id}`)
      milliseconds.push((performance.now() - start) / 3)
    }
    const [p50, p99] = [percentile(milliseconds, 0.5), percentile(milliseconds, 0.99)]
    console.log(`${what}: API requests take ${p50.toFixed(1)} ms (p50), ${p99.toFixed(1)} ms (p99)`)
  }

  const residentMegabytes = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.process.pid}/status`, 'utf8'))?.[1]) / 1024

  const framesOf = async (id: string, port: number): Promise<{ readonly frames: number; readonly dropped: number }> => {
    const { counters } = asRecord(await lab.call('GET', `${lab.path}/emu5/devices/${id}/ports/${port}/nio`))
    const { outgoing } = asRecord(counters)
    const { frames, dropped } = asRecord(outgoing)
    return { frames: Number(frames), dropped: Number(dropped) }
  }

  it('answers during a storm in a ring of three switches, which stops when the ring is cut', async () => {
    const switches = [await lab.createSwitch('A'), await lab.createSwitch('B'), await lab.createSwitch('C')]
    for (const [index, id] of switches.entries()) {
      const next = switches[(index + 1) % switches.length] ?? id
      await lab.cable(switchPlug(id, 2, 'access', 1), switchPlug(next, 1, 'access', 1))
    }
    const [first = ''] = switches
    for (let count = 1; count <= 3; count += 1) {
      const pc = await lab.create('emu3', { name: `PC${count}`, startup_script: `ip 10.0.0.${count}/24\n` })
      await lab.cable(vmPlug('emu3', pc.vm_id), switchPlug(first, 2 + count, 'access', 1))
      await lab.start('emu3', pc.vm_id)
    }
    await expect.poll(async () => (await framesOf(first, 2)).frames).toBeGreaterThan(10_000)
    await measureApi('a storm of three switches')
    const during = await framesOf(first, 2)
    await expect.poll(async () => (await framesOf(first, 2)).frames).toBeGreaterThan(during.frames)

    await lab.call('DELETE', `${lab.path}/emu5/devices/${first}/ports/2/nio`)
    let last = -1
    await expect
      .poll(async () => {
        const before = last
        last = (await framesOf(first, 1)).frames
        return last - before
      })
      .toBe(0)
  }, 120_000)

  it('answers during a flood of datagrams from outside', async () => {
    const id = await lab.createSwitch('flooded')
    const [local, remote] = [
      asRecord(await lab.call('POST', '/v1/ports/udp')).udp_port,
      asRecord(await lab.call('POST', '/v1/ports/udp')).udp_port,
    ].map(Number)
    const nio = { type: 'nio_udp', lport: local, rhost: '127.0.0.1', rport: remote }
    await lab.call('POST', `${lab.path}/emu5/devices/${id}/ports/1/nio`, { nio })
    const flood = createSocket('udp4').bind(remote, '127.0.0.1')
    await new Promise((listening) => flood.once('listening', listening))
    let flooding = true
    const frame = Buffer.alloc(64, 1)
    const send = (left: number) => {
      if (!flooding || left <= 0) return
      for (let count = 0; count < 64; count += 1) flood.send(frame, local, '127.0.0.1', () => {})
      setImmediate(() => send(left - 64))
    }
    send(5_000_000)
    try {
      await measureApi('a flood of datagrams')
    } finally {
      flooding = false
      flood.close()
    }
  }, 120_000)

  it('answers while a client types endlessly into a console, in bounded memory', async () => {
    const pc = await lab.create('emu3', { name: 'typed' })
    await lab.start('emu3', pc.vm_id)
    const before = residentMegabytes()
    const socket = connect(pc.console, '127.0.0.1')
    socket.on('error', () => {})
    socket.resume()
    let typing = true
    const type = (left: number) => {
      if (!typing || left <= 0) return
      const continueTyping = () => setImmediate(() => type(left - 65_536))
      if (socket.write(Buffer.from('show ip\r\n'.repeat(7282)))) continueTyping()
      else socket.once('drain', continueTyping)
    }
    socket.once('connect', () => type(200_000_000))
    try {
      await measureApi('a console that is typed into')
    } finally {
      typing = false
      socket.destroy()
    }
    expect(residentMegabytes() - before).toBeLessThan(300)
  }, 120_000)
})
