import { networkInterfaces } from 'node:os'
import {
  isRefusal,
  type LinkRelay,
  noImpairment,
  noImpairments,
  type PortAllocator,
  type UdpNio,
} from '@trivium/emulation-core/ports'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { nicOf } from '../../tests/test-nic.ts'
import { takePort, testPorts } from '../../tests/test-ports.ts'
import { openUdpPeer, type UdpPeer } from '../../tests/udp-peer.ts'
import { createVirtualClock, type VirtualClock } from '../../tests/virtual-clock.ts'
import { portProbe } from '../ports/port-probe.ts'
import { linkRelay } from './link-relay.ts'

const isFree = portProbe()
const hasIpv6 = networkInterfaces().lo?.some(({ family }) => family === 'IPv6') === true
if (!hasIpv6) console.warn('Skipped: NIOs over IPv6, which the loopback does not have')
const a = nicOf('a')
const b = nicOf('b')

const frameOf = (text: string): Buffer => Buffer.from(text.padEnd(20, '.'))
const udp = (localPort: number, remotePort: number, remoteHost = '127.0.0.1'): UdpNio => ({
  type: 'udp',
  localPort,
  remoteHost,
  remotePort,
})

let clock: VirtualClock
let ports: PortAllocator
let relay: LinkRelay
let peers: UdpPeer[]

beforeEach(() => {
  clock = createVirtualClock()
  ports = testPorts()
  relay = linkRelay({
    ports,
    clock,
    lookUp: async (host) => (host === 'lab.test' ? '127.0.0.1' : Promise.reject(new Error('unknown'))),
  })
  peers = []
})

afterEach(async () => {
  await relay.close()
  for (const peer of peers) await peer.close()
})

const port = () => takePort(ports, 'udp')

async function peerOn(at: number, address?: string): Promise<UdpPeer> {
  const peer = await openUdpPeer(at, address)
  peers.push(peer)
  return peer
}

/** Plugs a device that collects the frames it receives, as text. */
function device(nic = a) {
  const received: string[] = []
  let waiting: { count: number; resolve: () => void } | undefined
  const plug = relay.plug(nic, (frame) => {
    received.push(Buffer.from(frame).toString().replace(/\.+$/, ''))
    if (waiting !== undefined && received.length >= waiting.count) waiting.resolve()
  })
  return {
    ...plug,
    received,
    until: (count: number) =>
      new Promise<void>((resolve) => {
        waiting = { count, resolve }
        if (received.length >= count) resolve()
      }),
    sendTexts: (...texts: string[]) => {
      for (const text of texts) plug.send(frameOf(text))
    },
  }
}

const deliverAll = () => clock.pass(0)

/** Connects two devices of this process by one link. */
async function joined() {
  const [one, other] = [await port(), await port()]
  await relay.connect(a, udp(one, other))
  await relay.connect(b, udp(other, one))
  return { one, other, first: device(a), second: device(b) }
}

describe('a link between two NICs of one relay', () => {
  it('carries frames both ways', async () => {
    const { first, second } = await joined()
    first.sendTexts('ping')
    second.sendTexts('pong')
    await deliverAll()
    expect([first.received, second.received]).toEqual([['pong'], ['ping']])
  })

  it('has no socket until its other end is disconnected', async () => {
    const { one, other, first } = await joined()
    expect([await isFree('udp', one), await isFree('udp', other)]).toEqual([true, true])
    await relay.disconnect(b)
    expect([await isFree('udp', one), await isFree('udp', other)]).toEqual([false, true])
    const peer = await peerOn(other)
    first.sendTexts('hello')
    expect((await peer.until(1))[0]?.toString()).toContain('hello')
  })

  it('never delivers to a device while the device sends', async () => {
    const { first } = await joined()
    relay.plug(b, () => {}).unplug()
    let sending = false
    const echo = relay.plug(b, (frame) => echo.send(frame))
    const order: string[] = []
    const sender = relay.plug(a, () => order.push(sending ? 'heard while speaking' : 'heard'))
    sending = true
    sender.send(frameOf('x'))
    sending = false
    await deliverAll()
    expect(order).toEqual(['heard'])
    expect(first.received).toEqual([])
  })

  it('leaves turns of the event loop to other work when two devices answer each other endlessly', async () => {
    await joined()
    let exchanged = 0
    const one = relay.plug(a, (frame) => {
      exchanged += 1
      one.send(frame)
      one.send(frame)
    })
    const other = relay.plug(b, (frame) => other.send(frame))
    other.send(frameOf('storm'))
    for (let turn = 0; turn < 5; turn += 1) await new Promise<void>((resolve) => setTimeout(resolve, 1))
    one.unplug()
    other.unplug()
    expect(exchanged).toBeGreaterThan(1000)
    expect((await relay.counters(b)).incoming.dropped + (await relay.counters(a)).outgoing.dropped).toBeGreaterThan(0)
  })

  it('makes a fault of a device an uncaught exception, and continues to deliver', async () => {
    const { first, second } = await joined()
    const seen: unknown[] = []
    const before = process.listeners('uncaughtException')
    process.removeAllListeners('uncaughtException')
    process.on('uncaughtException', (error) => seen.push(error))
    onTestFinished(() => {
      process.removeAllListeners('uncaughtException')
      for (const listener of before) process.on('uncaughtException', listener)
    })
    const { send } = relay.plug(a, () => {
      throw new Error('a fault of the device')
    })
    second.sendTexts('to the faulty one')
    send(frameOf('from it'))
    await deliverAll()
    send(frameOf('again'))
    await deliverAll()
    expect(second.received).toEqual(['from it', 'again'])
    expect(first.received).toEqual([])
    expect(seen).toMatchObject([{ message: 'a fault of the device' }])
  })

  it('delivers to its own NIC when both ends are one NIC', async () => {
    const own = await port()
    await relay.connect(a, udp(own, own))
    const { sendTexts, received } = device(a)
    sendTexts('echo')
    await deliverAll()
    expect(received).toEqual(['echo'])
  })

  it('has no socket when one end is given by a host name of this machine', async () => {
    const [one, other] = [await port(), await port()]
    await relay.connect(a, udp(one, other, 'lab.test'))
    await relay.connect(b, udp(other, one))
    expect(await isFree('udp', one)).toBe(true)
  })
})

describe('a link to another program', () => {
  it('carries frames both ways, from its peer only', async () => {
    const [local, remote] = [await port(), await port()]
    const peer = await peerOn(remote)
    const otherPeer = await peerOn(await port())
    await relay.connect(a, udp(local, remote))
    const { sendTexts, received, until } = device()
    await otherPeer.send(frameOf('intruder'), local)
    await peer.send(frameOf('in'), local)
    await until(1)
    sendTexts('out')
    expect((await peer.until(1)).map(String)).toEqual([frameOf('out').toString()])
    expect(received).toEqual(['in'])
  })

  it.runIf(hasIpv6)('carries frames over IPv6', async () => {
    const [local, remote] = [await port(), await port()]
    const peer = await openUdpPeer(remote, '::1')
    peers.push(peer)
    await relay.connect(a, udp(local, remote, '::1'))
    const { sendTexts, received, until } = device()
    await peer.send(frameOf('in'), local)
    await until(1)
    sendTexts('out')
    expect((await peer.until(1)).map(String)).toEqual([frameOf('out').toString()])
    expect(received).toEqual(['in'])
  })

  it('resolves localhost to 127.0.0.1, where emulators listen', async () => {
    const [local, remote] = [await port(), await port()]
    const real = linkRelay({ ports })
    await real.connect(a, udp(local, remote, 'localhost'))
    const peer = await peerOn(remote)
    real.plug(a, () => {}).send(frameOf('hello'))
    expect((await peer.until(1)).map(String)).toEqual([frameOf('hello').toString()])
    await real.close()
  })

  it.each([
    '127.0.0.1',
    '127.255.0.9',
    '0.0.0.0',
    'lab.test',
    ...(hasIpv6 ? ['::1', '0:0:0:0:0:0:0:1', '::'] : []),
  ])('returns the port of the other end where its host is this machine, as %s is', async (host) => {
    const [local, remote] = [await port(), await port()]
    expect(await relay.connect(a, udp(local, remote, host))).toEqual({ ownPort: remote })
  })

  it('returns the port of the other end where its host is an address of an interface', async () => {
    const addresses = Object.values(networkInterfaces()).flatMap((found = []) => found)
    for (const { address, family } of addresses.filter((found) => found.family === 'IPv4')) {
      const [local, remote] = [await port(), await port()]
      expect([family, await relay.connect(a, udp(local, remote, address))]).toEqual([family, { ownPort: remote }])
    }
  })

  it('carries frames once the peer has started', async () => {
    const [local, remote] = [await port(), await port()]
    await relay.connect(a, udp(local, remote))
    const { sendTexts, until } = device()
    sendTexts('lost', 'lost', 'lost')
    const peer = await peerOn(remote)
    await peer.send(frameOf('now'), local)
    await until(1)
    sendTexts('found', 'found')
    expect((await peer.until(1)).map(String)).toContain(frameOf('found').toString())
  })

  it('moves to another peer on the same local port', async () => {
    const [local, remote, elsewhere] = [await port(), await port(), await port()]
    await relay.connect(a, udp(local, remote))
    await relay.connect(a, udp(local, elsewhere))
    const peer = await peerOn(elsewhere)
    const { until, received } = device()
    await peer.send(frameOf('moved'), local)
    await until(1)
    expect(received).toEqual(['moved'])
  })

  it('frees its port when it is disconnected', async () => {
    const local = await port()
    await relay.connect(a, udp(local, await port()))
    expect(await isFree('udp', local)).toBe(false)
    await relay.disconnect(a)
    await relay.disconnect(a)
    expect(await isFree('udp', local)).toBe(true)
  })

  it('carries frames of every size from 14 bytes to the largest datagram', async () => {
    const [local, remote] = [await port(), await port()]
    const peer = await peerOn(remote)
    await relay.connect(a, udp(local, remote))
    const sizes: number[] = []
    const plug = relay.plug(a, (frame) => sizes.push(frame.length))
    for (const size of [13, 14, 1514, 9014, 65_507, 65_536]) plug.send(new Uint8Array(size))
    expect((await peer.until(4)).map((frame) => frame.length)).toEqual([14, 1514, 9014, 65_507])
    for (const size of [0, 13, 14, 9014, 65_507]) await peer.send(new Uint8Array(size), local)
    while (sizes.length < 3) await new Promise<void>((resolve) => setImmediate(resolve))
    expect(sizes).toEqual([14, 9014, 65_507])
    expect((await relay.counters(a)).outgoing).toMatchObject({ frames: 4, dropped: 2 })
    expect((await relay.counters(a)).incoming).toMatchObject({ frames: 3, dropped: 2 })
  })
})

describe('a relay that cannot connect a NIO', () => {
  const refused = (promise: Promise<unknown>) => expect(promise).rejects.toSatisfy(isRefusal)

  it('refuses the NIO and keeps the previous connection', async () => {
    const { first, second, one } = await joined()
    const busy = await port()
    await peerOn(busy)
    await refused(relay.connect(a, udp(busy, 1)))
    await refused(relay.connect(a, udp(await port(), 1, 'nowhere.test')))
    await refused(relay.connect(a, { type: 'tap', device: 'tap0' }))
    await refused(relay.connect(a, { type: 'generic-ethernet', device: 'eth0' }))
    await refused(relay.connect(nicOf('c'), udp(one, 1)))
    first.sendTexts('still here')
    await deliverAll()
    expect(second.received).toEqual(['still here'])
  })

  it('names the port that is in use, and keeps the previous connection on that port', async () => {
    const [local, remote] = [await port(), await port()]
    await relay.connect(a, udp(local, remote))
    await expect(relay.connect(nicOf('c'), udp(local, remote))).rejects.toThrow(`UDP port ${local} is already used`)
    const peer = await peerOn(remote)
    const { until } = device()
    await peer.send(frameOf('here'), local)
    await until(1)
  })

  it('gives the reason when the other end is a broadcast address', async () => {
    const nio = { type: 'udp', localPort: await port(), remoteHost: '127.255.255.255', remotePort: 1 } as const
    await expect(relay.connect(a, nio)).rejects.toThrow('its other end is a broadcast address')
  })
})

describe('a NIC without a connection or without a device', () => {
  it('counts nothing without a connection, and drops frames without a device', async () => {
    const unconnected = device()
    unconnected.sendTexts('into the void')
    expect((await relay.counters(a)).outgoing).toEqual({ frames: 0, bytes: 0, dropped: 0 })
    const { second } = await joined()
    relay.plug(a, () => {}).unplug()
    second.sendTexts('nobody there')
    await deliverAll()
    expect((await relay.counters(a)).incoming).toEqual({ frames: 0, bytes: 0, dropped: 1 })
  })

  it('uses only the newest device', async () => {
    const { first, second } = await joined()
    const newer = device(a)
    first.sendTexts('old')
    newer.sendTexts('new')
    first.unplug()
    second.sendTexts('to the newest')
    await deliverAll()
    expect([first.received, newer.received, second.received]).toEqual([[], ['to the newest'], ['new']])
    newer.unplug()
    newer.sendTexts('gone')
    await deliverAll()
    expect(second.received).toEqual(['new'])
  })

  it('discards frames that it sends to a null NIO', async () => {
    await relay.connect(a, { type: 'null' })
    device().sendTexts('x')
    expect((await relay.counters(a)).outgoing).toMatchObject({ frames: 1, dropped: 0 })
  })
})

describe('link state, impairments and counters', () => {
  it('drop frames in both directions while the link is down', async () => {
    const { first, second } = await joined()
    relay.setLinkUp(a, false)
    first.sendTexts('one')
    second.sendTexts('other')
    await deliverAll()
    relay.setLinkUp(a, true)
    first.sendTexts('up again')
    await deliverAll()
    expect([first.received, second.received]).toEqual([[], ['up again']])
    expect(await relay.counters(a)).toEqual({
      outgoing: { frames: 1, bytes: 20, dropped: 1 },
      incoming: { frames: 0, bytes: 0, dropped: 1 },
    })
  })

  it('start with the values of the options, and end with the connection', async () => {
    const [one, other] = [await port(), await port()]
    await relay.connect(a, udp(one, other), { linkUp: false })
    await relay.connect(b, udp(other, one), {
      impairments: { ...noImpairments, incoming: { ...noImpairment, lossPercent: 100 } },
    })
    const first = device(a)
    const second = device(b)
    first.sendTexts('down')
    relay.setLinkUp(a, true)
    first.sendTexts('lost')
    await deliverAll()
    expect([(await relay.counters(a)).outgoing.dropped, (await relay.counters(b)).incoming.dropped]).toEqual([1, 1])
    await relay.disconnect(b)
    await relay.connect(b, udp(other, one))
    expect((await relay.counters(b)).incoming.dropped).toBe(0)
    first.sendTexts('through')
    await deliverAll()
    expect(second.received).toEqual(['through'])
  })

  it('apply to one direction of one NIC', async () => {
    const { first, second } = await joined()
    relay.setImpairments(a, { outgoing: { ...noImpairment, delayMilliseconds: 100 }, incoming: noImpairment })
    first.sendTexts('slow')
    second.sendTexts('fast')
    await deliverAll()
    expect([first.received, second.received]).toEqual([['fast'], []])
    await clock.pass(100)
    expect(second.received).toEqual(['slow'])
  })

  it('add up at both ends', async () => {
    const { first, second } = await joined()
    const late = {
      outgoing: { ...noImpairment, delayMilliseconds: 30 },
      incoming: { ...noImpairment, delayMilliseconds: 5 },
    }
    relay.setImpairments(a, late)
    relay.setImpairments(b, late)
    first.sendTexts('x')
    await clock.pass(34)
    expect(second.received).toEqual([])
    await clock.pass(1)
    expect(second.received).toEqual(['x'])
  })

  it('survive a restart of the instance', async () => {
    const { first, second } = await joined()
    relay.setLinkUp(a, false)
    first.unplug()
    const again = device(a)
    again.sendTexts('still down')
    await deliverAll()
    expect(second.received).toEqual([])
  })

  it('drop frames that wait when the link goes down', async () => {
    const { first, second } = await joined()
    relay.setImpairments(a, { outgoing: { ...noImpairment, delayMilliseconds: 100 }, incoming: noImpairment })
    first.sendTexts('on its way')
    relay.setLinkUp(a, false)
    await clock.pass(200)
    expect(second.received).toEqual([])
    expect((await relay.counters(a)).outgoing.dropped).toBe(1)
  })
})

describe('a pair of UDP ports for a process', () => {
  it('connects a program to the relay, and keeps its ports while the NIC is recabled', async () => {
    const plug = await relay.plugUdp(a)
    const program = await peerOn(plug.devicePort)
    const [one, other] = [await port(), await port()]
    await relay.connect(a, udp(one, other))
    await relay.connect(b, udp(other, one))
    const second = device(b)
    await program.send(frameOf('from the program'), plug.relayPort)
    await second.until(1)
    second.sendTexts('to the program')
    expect((await program.until(1)).map(String)).toEqual([frameOf('to the program').toString()])

    await relay.disconnect(a)
    await relay.connect(a, udp(one, other))
    await program.send(frameOf('again'), plug.relayPort)
    await second.until(2)
    await plug.unplug()
    await plug.unplug()
    expect(await isFree('udp', plug.relayPort)).toBe(true)
    expect(await ports.claim('udp', plug.relayPort)).toBe('claimed')
  })

  it.runIf(process.platform === 'linux')('receives only frames from the address of the program', async () => {
    const plug = await relay.plugUdp(a, { deviceAddress: '127.77.66.55' })
    const [one, other] = [await port(), await port()]
    await relay.connect(a, udp(one, other))
    await relay.connect(b, udp(other, one))
    const second = device(b)
    const otherPeer = await peerOn(plug.devicePort)
    const program = await peerOn(plug.devicePort, '127.77.66.55')
    await otherPeer.send(frameOf('from a stranger'), plug.relayPort)
    await program.send(frameOf('from the program'), plug.relayPort)
    await second.until(1)
    expect(second.received).toEqual(['from the program'])
    second.sendTexts('to the program')
    expect((await program.until(1)).map(String)).toEqual([frameOf('to the program').toString()])
    expect(otherPeer.received).toEqual([])
  })

  it('closes when the next pair is opened', async () => {
    const plug = await relay.plugUdp(a)
    const next = await relay.plugUdp(a)
    expect(next.relayPort).not.toBe(plug.relayPort)
    await plug.unplug()
    expect(await isFree('udp', plug.relayPort)).toBe(true)
    expect(await isFree('udp', next.relayPort)).toBe(false)
  })
})

describe('a relay that is closed', () => {
  it('frees all its ports', async () => {
    const local = await port()
    await relay.connect(a, udp(local, await port()))
    const plug = await relay.plugUdp(a)
    await relay.close()
    expect([await isFree('udp', local), await isFree('udp', plug.relayPort)]).toEqual([true, true])
  })
})
