import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { InstanceId, ProjectId } from '@trivium/emulation-core'
import type { Nic } from '@trivium/emulation-core/ports'
import { expect, it, onTestFinished } from 'vitest'
import { ethernetSwitchEmulator, linkRelay } from '../src/index.ts'
import { testCable } from './test-cable.ts'
import { testPorts } from './test-ports.ts'
import { testWiring } from './test-wiring.ts'

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

// Any string is valid as an id here: it is not parsed.
const host: Nic = { instanceId: 'host' as InstanceId, adapter: 0, port: 0 }

const broadcast = (): Uint8Array => {
  const frame = new Uint8Array(64)
  frame.fill(255, 0, 6)
  frame[7] = 1
  return frame
}

/** Starts switches in a ring, each with a free port 3. */
const openRing = async (names: readonly string[]) => {
  const ports = testPorts()
  const relay = linkRelay({ ports })
  onTestFinished(() => relay.close())
  const wirings = names.map((name) =>
    testWiring(
      relay,
      name,
      [1, 2, 3].map((port) => ({ adapter: 0, port })),
    ),
  )
  for (const [index, wiring] of wirings.entries()) {
    const name = names[index] ?? ''
    const instance = {
      // Any string is valid as an id here: it is not parsed.
      id: wiring.nic({ adapter: 0, port: 1 }).instanceId,
      projectId: 'project' as ProjectId,
      kind: 'ethernet-switch',
      name,
      settings: { ports: [] },
      directory: '/',
    } as const
    const running = await ethernetSwitchEmulator().start(instance, wiring, { recorded: async () => {} })
    onTestFinished(() => running.stop())
  }
  const cable = testCable(relay, ports)
  const nic = (index: number, port: number): Nic => {
    const wiring = wirings[index % wirings.length]
    if (wiring === undefined) throw new Error('There is no such switch')
    return wiring.nic({ adapter: 0, port })
  }
  for (const index of wirings.keys()) await cable(nic(index, 2), nic(index + 1, 1))
  const nics = wirings.flatMap((_, index) => [nic(index, 1), nic(index, 2)])
  const count = async () => {
    const counters = await Promise.all(nics.map((each) => relay.counters(each)))
    return {
      delivered: counters.reduce((sum, { incoming }) => sum + incoming.frames, 0),
      dropped: counters.reduce((sum, { outgoing }) => sum + outgoing.dropped, 0),
    }
  }
  return { relay, nic, cable, count }
}

it.each([
  ['two', ['A', 'B']],
  ['three', ['A', 'B', 'C']],
])('a storm in a ring of %s switches leaves turns of the event loop to other work, and ends with the ring', async (_name, names) => {
  const { relay, nic, cable, count } = await openRing(names)
  const plug = relay.plug(host, () => {})
  await cable(host, nic(0, 3))
  // Every broadcast circulates endlessly in both directions. A flood of them fills every queue.
  for (let sent = 0; sent < 1000; sent += 1) {
    plug.send(broadcast())
    if (sent % 100 === 0) await turn()
  }
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  let [most, before] = [0, (await count()).delivered]
  for (let turns = 0; turns < 200; turns += 1) {
    await turn()
    const { delivered } = await count()
    most = Math.max(most, delivered - before)
    before = delivered
  }
  delay.disable()
  console.log(
    `a storm of ${names.length} switches: at most ${most} frames a turn, event loop late by ${(delay.percentile(99) / 1e6).toFixed(1)} ms (p99)`,
  )
  expect(most).toBeGreaterThan(0)
  expect(most).toBeLessThanOrEqual(2 * 2048)

  await relay.disconnect(nic(0, 2))
  let last = -1
  while (last !== (await count()).delivered) {
    last = (await count()).delivered
    for (let turns = 0; turns < 20; turns += 1) await turn()
  }
})

it('a relay counts the frames of a storm that it drops', async () => {
  const { relay, nic, cable } = await openRing(['A', 'B', 'C'])
  const plug = relay.plug(host, () => {})
  await cable(host, nic(0, 3))
  for (let sent = 0; sent < 20_000; sent += 1) plug.send(broadcast())
  expect((await relay.counters(host)).outgoing.dropped).toBeGreaterThan(0)
  await turn()
  await relay.disconnect(nic(0, 2))
})
