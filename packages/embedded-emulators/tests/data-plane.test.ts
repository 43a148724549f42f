import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import type { InstanceId, Nio, ProjectId } from '@trivium/emulation-core'
import { emulatorConformance, linkRelayConformance } from '@trivium/emulation-core/conformance'
import { type CaptureLimit, type CaptureSink, isRefusal } from '@trivium/emulation-core/ports'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Clock, systemClock } from '../src/clock/clock.ts'
import { createKnownPlane } from '../src/data-plane/known-plane.ts'
import { createPlaneRelay } from '../src/data-plane/plane-relay.ts'
import { createPlaneRuns } from '../src/data-plane/plane-runs.ts'
import { createPlaneSwitchEmulator } from '../src/data-plane/plane-switch-emulator.ts'
import { inThisThread, inWorker, type OpenPlaneThread } from '../src/data-plane/plane-thread.ts'
import { dataPlane } from '../src/index.ts'
import { createMemorySink, readPcap } from './memory-sink.ts'
import { testCable } from './test-cable.ts'
import { nicOf } from './test-nic.ts'
import { takePort, testPorts } from './test-ports.ts'
import { testWiring } from './test-wiring.ts'
import { openUdpPeer } from './udp-peer.ts'
import { createVirtualClock } from './virtual-clock.ts'

const parts = { switchOptions: {} }
const none: Nio = { type: 'null' }
const zero = { frames: 0, bytes: 0, dropped: 0 }
const frame = (text: string) => Buffer.from(text.padEnd(60, '.'))

/** Creates a data plane whose threads the test can see and end. */
function openPlane(open: OpenPlaneThread, clock: Clock = systemClock) {
  const [ports, known] = [testPorts(), createKnownPlane()]
  const faults: Error[] = []
  let failed = () => {}
  const onFault = (fault: Error) => {
    faults.push(fault)
    failed()
  }
  const threads: { readonly crash: () => void; readonly fail: () => Promise<void> }[] = []
  const ended: number[] = []
  const openThread: OpenPlaneThread = (listener) => {
    const thread = open(listener)
    const number = threads.length
    threads.push({
      // The message has no type, so that the worker throws.
      crash: () => thread.post(JSON.parse('[null]'), []),
      async fail() {
        await thread.end()
        listener.ended(new Error('a failure of the test'))
      },
    })
    return {
      ...thread,
      end() {
        ended.push(number)
        return thread.end()
      },
    }
  }
  const runs = createPlaneRuns({ known, openThread, openFallback: inThisThread(parts), onFault, clock })
  const relay = createPlaneRelay({ ports, known, runs, clock: systemClock, onFault })
  onTestFinished(() => relay.close())
  return {
    ports,
    relay,
    emulator: createPlaneSwitchEmulator(known, runs),
    faults,
    threads,
    ended,
    /** Ends the worker by an exception. Resolves when that is reported. */
    crash: () =>
      new Promise<void>((resolve) => {
        failed = resolve
        threads.at(-1)?.crash()
      }),
    fail: () => threads.at(-1)?.fail(),
  }
}

/** A device that collects the texts of frames. */
function mailbox() {
  const texts: string[] = []
  let arrived = () => {}
  return {
    receive: (bytes: Uint8Array) => {
      texts.push(Buffer.from(bytes).toString().replace(/\.+$/, ''))
      arrived()
    },
    async next() {
      while (texts.length === 0) await new Promise<void>((resolve) => (arrived = resolve))
      return texts.shift()
    },
  }
}

const switchOf = (ports: readonly { port: number; type: 'access'; vlan: number }[]) => ({
  // Any string is valid as an id here: it is not parsed.
  ...{ id: 'SW' as InstanceId, projectId: 'project' as ProjectId },
  ...({ kind: 'ethernet-switch', name: 'SW', settings: { ports }, directory: '/' } as const),
})

const started = { recorded: async () => {} }

/** Cables two hosts to the ports 1 and 2 of a switch, and starts it. */
async function openSwitch(plane: ReturnType<typeof openPlane>, vlans: readonly [number, number] = [10, 10]) {
  const { relay, ports, emulator } = plane
  const settings = vlans.map((vlan, index) => ({ port: index + 1, type: 'access', vlan }) as const)
  const nics = [1, 2].map((port) => ({ adapter: 0, port }))
  const wiring = testWiring(relay, 'SW', nics)
  const running = await emulator.start(switchOf(settings), wiring, started)
  const cable = testCable(relay, ports)
  const boxes = [mailbox(), mailbox()] as const
  const hosts = boxes.map(({ receive }, index) => relay.plug(nicOf(`PC${index + 1}`), receive))
  for (const port of [1, 2]) await cable(nicOf(`PC${port}`), wiring.nic({ adapter: 0, port }))
  return {
    running,
    left: nicOf('PC1'),
    /** Sends a frame to all from the first host: the first byte of its destination is odd. */
    send: (text: string) => hosts[0]?.send(frame(`allalltalker${text}`)),
    heard: async () => (await boxes[1].next())?.slice(12),
  }
}

describe('a data plane in this thread, as where workers cannot be started', () => {
  linkRelayConformance(async () => {
    const { relay, ports } = openPlane(inThisThread(parts))
    const free: number[] = []
    while (free.length < 6) free.push(await takePort(ports, 'udp'))
    return { relay, ports: free }
  })
})

describe('a data plane in a worker', { timeout: 30_000 }, () => {
  linkRelayConformance(async () => {
    const { relay, ports } = openPlane(inWorker(parts))
    const free: number[] = []
    while (free.length < 6) free.push(await takePort(ports, 'udp'))
    return { relay, ports: free }
  })

  emulatorConformance(async () => {
    const { relay, emulator } = openPlane(inWorker(parts))
    await relay.connect(nicOf('other'), none)
    const nics = [{ adapter: 0, port: 1 }]
    return {
      emulator,
      instance: { ...switchOf([{ port: 1, type: 'access', vlan: 10 }]), slot: 0 },
      wiring: testWiring(relay, 'SW', nics, { connected: false, linkUp: false }),
      close: relay.close,
    }
  })

  it('switches between ports, lists the MAC table and clears it, and applies new VLANs', async () => {
    const plane = openPlane(inWorker(parts))
    const { running, send, heard } = await openSwitch(plane)
    send('first.')
    expect(await heard()).toBe('first')
    expect(await running.macTable?.()).toEqual([{ mac: '74:61:6c:6b:65:72', vlan: 10, port: 1 }])
    await running.clearMacTable?.()
    expect(await running.macTable?.()).toEqual([])
    const settings = (vlan: number) => ({ ports: [{ port: 1, type: 'access', vlan } as const] })
    await running.update?.({ name: 'SW', settings: settings(20) })
    send('lost..')
    while ((await running.macTable?.())?.length === 0);
    expect(await running.macTable?.()).toMatchObject([{ vlan: 20, port: 1 }])
    await running.update?.({ name: 'SW', settings: settings(1) })
    send('second')
    expect(await heard()).toBe('second')
    await running.stop()
    expect(await running.exited).toMatchObject({ exitCode: 0 })
    expect(plane.faults).toEqual([])
  })

  it('continues in a new worker with its links, devices, switches, plugs and captures after an exception', async () => {
    const plane = openPlane(inWorker(parts))
    const { relay } = plane
    const { running, left, send, heard } = await openSwitch(plane)
    const { relayPort, devicePort } = await relay.plugUdp(nicOf('machine'))
    const peer = await openUdpPeer(devicePort)
    onTestFinished(peer.close)
    const [near, far] = [await takePort(plane.ports, 'udp'), await takePort(plane.ports, 'udp')]
    const nio: Nio = { type: 'udp', localPort: near, remoteHost: '127.0.0.1', remotePort: far }
    await relay.connect(nicOf('machine'), nio)
    const foreign = await openUdpPeer(far)
    onTestFinished(foreign.close)
    const sink = createMemorySink()
    await relay.startCapture(left, { linkType: 1, direction: 'both', sink, limitBytes: 10_000 })
    send('first.')
    expect(await heard()).toBe('first')
    relay.setLinkUp(left, false)

    const asked = relay.counters(left)
    await plane.crash()
    await asked
    expect(plane.faults).toMatchObject([{ message: 'The worker that relays frames has ended.' }])
    expect(plane.threads).toHaveLength(2)
    expect(await running.macTable?.()).toEqual([])
    expect(await relay.counters(left)).toEqual({ outgoing: zero, incoming: zero })
    send('down..')
    relay.setLinkUp(left, true)
    send('second')
    expect(await heard()).toBe('second')
    await peer.send(frame('from a process'), relayPort)
    expect((await foreign.until(1)).length).toBe(1)
    await relay.stopCapture(left)
    expect(readPcap(sink.content).frames.map((captured) => captured.subarray(12, 18).toString())).toEqual([
      'first.',
      'second',
    ])
    expect(plane.faults).toHaveLength(1)
  })

  it('ends a capture at its limit, and reports the failure of its sink', async () => {
    const { relay } = openPlane(inWorker(parts))
    const nic = nicOf('PC')
    await relay.connect(nic, none)
    const device = relay.plug(nic, () => {})
    const pieces: Uint8Array[] = []
    const sink: CaptureSink = {
      write: (bytes) => void pieces.push(bytes),
      bufferedBytes: 0,
      close: () => Promise.reject(new Error('The disk is full.')),
    }
    const limit = new Promise<CaptureLimit>((ended) => {
      relay.startCapture(nic, { linkType: 1, direction: 'both', sink, limitBytes: 24 + 76, ended }).then(() => {
        for (const text of ['one', 'two', 'three']) device.send(frame(text))
      })
    })
    expect(await limit).toBe('capture')
    await expect(relay.startCapture(nic, { linkType: 1, direction: 'both', sink, limitBytes: 99 })).rejects.toThrow(
      'Packet capture is already activated on 0/0',
    )
    await expect(relay.stopCapture(nic)).rejects.toThrow('The disk is full.')
    expect(Buffer.concat(pieces)).toHaveLength(24 + 76)
  })

  it('leaves its process free to exit without a socket', async () => {
    const program = `
      import { createPortAllocator } from '@trivium/emulation-core'
      import { dataPlane, portProbe } from '@trivium/embedded-emulators'
      const { relay } = dataPlane({ ports: createPortAllocator({ isFree: portProbe() }), thread: 'worker' })
      const nio = (localPort, remotePort) => ({ type: 'udp', localPort, remoteHost: '127.0.0.1', remotePort })
      await relay.connect({ instanceId: 'one', adapter: 0, port: 0 }, nio(60998, 60999))
      await relay.connect({ instanceId: 'two', adapter: 0, port: 0 }, nio(60999, 60998))
      console.log(await relay.counters({ instanceId: 'one', adapter: 0, port: 0 }))`
    const options = ['--conditions=@trivium/source', '--input-type=module', '--eval', program]
    const { stdout } = await promisify(execFile)(process.execPath, options, { cwd: import.meta.dirname })
    expect(stdout).toContain('outgoing: { frames: 0')
  })
})

it('runs a data plane while there are links, and for 5 seconds after the last one', async () => {
  const clock = createVirtualClock()
  const { relay, threads, ended } = openPlane(inThisThread(parts), clock)
  const nic = nicOf('PC')
  relay.plug(nic, () => {})
  expect(await relay.counters(nic)).toEqual({ outgoing: zero, incoming: zero })
  expect(threads).toHaveLength(0)
  await relay.connect(nic, none)
  await relay.disconnect(nic)
  clock.advance(4999)
  expect(ended).toEqual([])
  clock.advance(1)
  expect(ended).toEqual([0])
  await relay.connect(nic, none)
  clock.advance(60_000)
  expect(threads).toHaveLength(2)
  expect(ended).toEqual([0])
})

it('waits a minute before the fourth data plane when three have failed', async () => {
  const clock = createVirtualClock()
  const { relay, threads, faults, fail } = openPlane(inThisThread(parts), clock)
  const nic = nicOf('PC')
  for (let failures = 0; failures < 3; failures += 1) {
    await relay.connect(nic, none)
    await fail()
  }
  expect([threads.length, faults.length]).toEqual([3, 3])
  await expect(relay.connect(nic, none)).rejects.toEqual(expect.toSatisfy(isRefusal))
  expect(await relay.counters(nic)).toEqual({ outgoing: zero, incoming: zero })
  clock.advance(60_000)
  expect(threads).toHaveLength(4)
  await relay.connect(nic, none)
})

it.each([
  ['names no file', undefined, 'The batches name no file for a worker.'],
  ['names a file that is absent', '/nowhere/datagrams.node', expect.stringContaining('/nowhere/datagrams.node')],
])('relays on the main thread with a reported reason where the native module %s', async (_name, file, reason) => {
  const batches = { size: 64, receive: () => 0, take: () => {}, send: () => 0, ...(file && { file }) }
  const faults: Error[] = []
  const onFault = (fault: Error) => void faults.push(fault)
  const { relay } = dataPlane({ ports: testPorts(), batches, thread: 'worker', onFault })
  onTestFinished(relay.close)
  expect(await relay.connect(nicOf('PC'), none)).toEqual({ ownPort: undefined })
  const message = 'Frames are relayed on the main thread, because a worker cannot be started.'
  expect(faults).toMatchObject([{ message, cause: { message: reason } }])
})

it('has an entry for its worker, which a bundle finds in the installed package', () => {
  const { resolve } = createRequire(import.meta.url)
  expect(resolve('@trivium/embedded-emulators/data-plane-worker')).toMatch(/data-plane\/worker\.(ts|js)$/)
})
