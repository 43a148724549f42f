import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CaptureDirection, isRefusal, type LinkRelay, noImpairment } from '@trivium/emulation-core/ports'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createMemorySink, readPcap } from '../../tests/memory-sink.ts'
import { hasProgram } from '../../tests/program.ts'
import { nicOf } from '../../tests/test-nic.ts'
import { takePort, testPorts } from '../../tests/test-ports.ts'
import { createVirtualClock, type VirtualClock } from '../../tests/virtual-clock.ts'
import { writeArp } from '../frames/arp.ts'
import { writeEthernet } from '../frames/ethernet.ts'
import { linkRelay } from '../link-relay/link-relay.ts'

const nic = nicOf('a')
const remoteNic = nicOf('b')
const unlimited = 1024 * 1024 * 1024
const ethernet = 1

let clock: VirtualClock
let relay: LinkRelay
let sendOutgoing: (frame: Uint8Array) => void
let sendIncoming: (frame: Uint8Array) => void

const frameOf = (text: string): Buffer => Buffer.from(text.padEnd(20, '.'))
const textOf = (frame: Uint8Array): string => Buffer.from(frame).toString().replace(/\.+$/, '')

async function cable(localPort: number, remotePort: number) {
  await relay.connect(nic, { type: 'udp', localPort, remoteHost: '127.0.0.1', remotePort })
  await relay.connect(remoteNic, { type: 'udp', localPort: remotePort, remoteHost: '127.0.0.1', remotePort: localPort })
}

beforeEach(async () => {
  clock = createVirtualClock()
  const ports = testPorts()
  relay = linkRelay({ ports, clock })
  await cable(await takePort(ports, 'udp'), await takePort(ports, 'udp'))
  sendOutgoing = relay.plug(nic, () => {}).send
  sendIncoming = relay.plug(remoteNic, () => {}).send
})

afterEach(() => relay.close())

async function exchange(...texts: string[]) {
  for (const text of texts) {
    sendOutgoing(frameOf(`${text} out`))
    sendIncoming(frameOf(`${text} in`))
  }
  await clock.pass(0)
}

describe('a capture', () => {
  it.each<[CaptureDirection, readonly string[]]>([
    ['both', ['x out', 'x in']],
    ['outgoing', ['x out']],
    ['incoming', ['x in']],
  ])('contains the frames of its direction: %s', async (direction, expected) => {
    const sink = createMemorySink()
    await relay.startCapture(nic, { linkType: ethernet, direction, sink, limitBytes: unlimited })
    await exchange('x')
    await relay.stopCapture(nic)
    expect(sink.closed).toBe(true)
    expect(readPcap(sink.content).frames.map(textOf).sort()).toEqual([...expected].sort())
    await exchange('after')
    expect(readPcap(sink.content).frames).toHaveLength(expected.length)
  })

  it('writes a classic little-endian pcap file, its header immediately', async () => {
    const sink = createMemorySink()
    await relay.startCapture(nic, { linkType: 104, direction: 'both', sink, limitBytes: unlimited })
    expect(sink.content.toString('hex')).toBe('d4c3b2a1020004000000000000000000ffff000068000000')
    await clock.pass(1234.5678)
    await exchange('x')
    const { times } = readPcap(sink.content)
    expect(times[0]).toBeCloseTo(Date.UTC(2030, 0, 1) + 1234.567, 2)
  })

  it('records frames after impairments: delayed frames late, lost frames never', async () => {
    const sink = createMemorySink()
    await relay.startCapture(nic, { linkType: ethernet, direction: 'both', sink, limitBytes: unlimited })
    relay.setImpairments(nic, {
      outgoing: { ...noImpairment, delayMilliseconds: 40 },
      incoming: { ...noImpairment, lossPercent: 100 },
    })
    const begin = clock.now()
    await exchange('x')
    await clock.pass(40)
    const { frames, times } = readPcap(sink.content)
    expect(frames.map(textOf)).toEqual(['x out'])
    expect((times[0] ?? 0) - begin).toBeCloseTo(40, 2)
  })

  it('allows one capture for each connected NIC, until it is disconnected', async () => {
    const sink = createMemorySink()
    const options = { linkType: ethernet, direction: 'both', sink, limitBytes: unlimited } as const
    await expect(relay.startCapture(nicOf('c'), options)).rejects.toSatisfy(isRefusal)
    await relay.startCapture(nic, options)
    await expect(relay.startCapture(nic, { ...options, sink: createMemorySink() })).rejects.toThrow(
      'already activated on 0/0',
    )
    await relay.disconnect(nic)
    expect(sink.closed).toBe(true)
    await relay.stopCapture(nic)
  })

  it('continues when the NIC is connected elsewhere', async () => {
    const sink = createMemorySink()
    await relay.startCapture(nic, { linkType: ethernet, direction: 'outgoing', sink, limitBytes: unlimited })
    await relay.connect(nic, { type: 'null' })
    sendOutgoing(frameOf('elsewhere'))
    expect(readPcap(sink.content).frames.map(textOf)).toEqual(['elsewhere'])
  })

  it('ends by itself at its limit, with whole frames only', async () => {
    const sink = createMemorySink()
    const ended = vi.fn()
    const options = { linkType: ethernet, direction: 'outgoing', sink, limitBytes: 24 + 36 * 2 + 35, ended } as const
    await relay.startCapture(nic, options)
    for (let frame = 0; frame < 5; frame += 1) sendOutgoing(frameOf(String(frame)))
    expect(sink.closed).toBe(true)
    expect(readPcap(sink.content).frames.map(textOf)).toEqual(['0', '1'])
    await relay.stopCapture(nic)
    expect(ended.mock.calls).toEqual([['capture']])
  })

  it('ends by itself when its project has no space left', async () => {
    const sink = createMemorySink()
    const ended = vi.fn()
    let space = 36 * 2
    const claim = (bytes: number) => {
      space -= bytes
      return space >= 0
    }
    await relay.startCapture(nic, {
      linkType: ethernet,
      direction: 'outgoing',
      sink,
      limitBytes: unlimited,
      claim,
      ended,
    })
    for (let frame = 0; frame < 5; frame += 1) sendOutgoing(frameOf(String(frame)))
    expect(readPcap(sink.content).frames.map(textOf)).toEqual(['0', '1'])
    expect([sink.closed, ended.mock.calls]).toEqual([true, [['project']]])
  })

  it('leaves out frames while the disk does not keep up', async () => {
    const sink = createMemorySink()
    await relay.startCapture(nic, { linkType: ethernet, direction: 'outgoing', sink, limitBytes: unlimited })
    sink.bufferedBytes = 100 * 1024 * 1024
    sendOutgoing(frameOf('left out'))
    sink.bufferedBytes = 0
    sendOutgoing(frameOf('in'))
    expect(readPcap(sink.content).frames.map(textOf)).toEqual(['in'])
  })

  it('reports a failed disk to the caller that stops it', async () => {
    const sink = { bufferedBytes: 0, write: () => {}, close: () => Promise.reject(new Error('no space left')) }
    await relay.startCapture(nic, { linkType: ethernet, direction: 'both', sink, limitBytes: unlimited })
    await expect(relay.stopCapture(nic)).rejects.toThrow('no space left')
  })
})

describe('a capture stream', () => {
  const open = (signal: AbortSignal, limitBytes?: number) =>
    relay
      .streamCapture(nic, {
        linkType: ethernet,
        direction: 'both',
        signal,
        ...(limitBytes === undefined ? {} : { limitBytes }),
      })
      [Symbol.asyncIterator]()

  it('yields the header immediately, then the frames, while a capture runs', async () => {
    const sink = createMemorySink()
    await relay.startCapture(nic, { linkType: ethernet, direction: 'both', sink, limitBytes: unlimited })
    const controller = new AbortController()
    const stream = open(controller.signal)
    const pieces = [Buffer.from((await stream.next()).value ?? [])]
    expect(pieces[0]).toHaveLength(24)
    const next = stream.next()
    await exchange('x', 'y')
    pieces.push(Buffer.from((await next).value ?? []))
    controller.abort()
    for (let piece = await stream.next(); piece.done !== true; piece = await stream.next())
      pieces.push(Buffer.from(piece.value))
    expect(readPcap(Buffer.concat(pieces)).frames.map(textOf)).toEqual(readPcap(sink.content).frames.map(textOf))
  })

  it('ends when the NIC is disconnected, and immediately when it is not connected or the signal is aborted', async () => {
    const stream = open(new AbortController().signal)
    await stream.next()
    const next = stream.next()
    await relay.disconnect(nic)
    expect(await next).toEqual({ done: true, value: undefined })
    expect(await open(new AbortController().signal).next()).toMatchObject({ done: true })
    await relay.connect(nic, { type: 'null' })
    expect(await open(AbortSignal.abort()).next()).toMatchObject({ done: true })
  })

  it('leaves out whole frames while its reader is too slow', async () => {
    const stream = open(new AbortController().signal, 100)
    await stream.next()
    for (let frame = 0; frame < 10; frame += 1) sendOutgoing(frameOf(String(frame)))
    const piece = Buffer.from((await stream.next()).value ?? [])
    expect(readPcap(Buffer.concat([Buffer.alloc(24), piece])).frames.map(textOf)).toEqual(['0', '1'])
    sendOutgoing(frameOf('later'))
    expect(textOf(Buffer.from((await stream.next()).value ?? []).subarray(16))).toBe('later')
  })

  it('stops watching when its reader returns', async () => {
    const stream = open(new AbortController().signal)
    await stream.next()
    await stream.return?.()
    await exchange('unseen')
    expect(await stream.next()).toMatchObject({ done: true })
  })
})

describe.runIf(hasProgram('tshark', 'tshark'))('tshark', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'captures-'))
  afterAll(() => rm(directory, { recursive: true }))

  it('reads a capture with its times', async () => {
    const sink = createMemorySink()
    await relay.startCapture(nic, { linkType: ethernet, direction: 'both', sink, limitBytes: unlimited })
    const request = writeArp({
      operation: 'request',
      senderMac: 0x005079666800,
      senderAddress: 0x0a000001,
      targetMac: 0,
      targetAddress: 0x0a000002,
    })
    sendOutgoing(
      writeEthernet({ destination: 0xffffffffffff, source: 0x005079666800, etherType: 0x0806, payload: request }),
    )
    const file = join(directory, 'capture.pcap')
    await writeFile(file, sink.content)
    const { stdout, status } = spawnSync('tshark', ['-r', file, '-t', 'e'], { encoding: 'utf8' })
    expect(status).toBe(0)
    expect(stdout).toContain(String(Date.UTC(2030, 0, 1) / 1000))
    expect(stdout).toContain('Who has 10.0.0.2? Tell 10.0.0.1')
  })
})
