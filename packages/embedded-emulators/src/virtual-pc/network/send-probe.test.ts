import { getEventListeners } from 'node:events'
import { expect, it } from 'vitest'
import { seededRandom } from '../../../tests/seeded-random.ts'
import { createVirtualClock } from '../../../tests/virtual-clock.ts'
import { parseIp } from '../../addresses/ip-address.ts'
import { createNetwork } from './network.ts'
import { sendProbe } from './send-probe.ts'

function lab() {
  const clock = createVirtualClock()
  const network = createNetwork({ mac: 0x005079666800, clock, random: seededRandom(1), send: () => {} })
  network.ipv4.config = { address: 0x0a000001, prefixLength: 24 }
  network.ipv6.config = { address: (0x20010db8n << 96n) | 1n, prefixLength: 64 }
  const control = new AbortController()
  const probe = (text: string) => {
    const destination = parseIp(text)
    if (destination === undefined) throw new Error(`${text} is not an address`)
    const packet = { destination, protocol: 'icmp', sequence: 1, timeToLive: 64, dataBytes: 56 } as const
    return sendProbe(network, { ...packet, timeoutMs: 1000 }, control.signal)
  }
  return { clock, network, control, probe }
}

it('removes its listeners from the signal with every result', async () => {
  const { clock, network, control, probe } = lab()
  const listeners = () => getEventListeners(control.signal, 'abort').length
  network.ipv4.neighbours.learn(0x0a000002, 0x020000000002, true)
  for (const [address, type] of [
    ['192.0.2.1', 'no-route'],
    ['10.0.0.2', 'timeout'],
    ['10.0.0.3', 'no-neighbour'],
    ['2001:db8::3', 'no-neighbour'],
  ] as const) {
    const result = probe(address)
    await clock.pass(4000)
    expect(await result).toMatchObject({ type })
    expect(listeners()).toBe(0)
  }
  const interrupted = probe('10.0.0.4')
  control.abort()
  expect(await interrupted).toMatchObject({ type: 'no-route' })
  expect(listeners()).toBe(0)
})

it('counts the headers of the address family for its own address', async () => {
  const { probe } = lab()
  expect(await probe('10.0.0.1')).toMatchObject({ type: 'reply', bytes: 84 })
  expect(await probe('2001:db8::1')).toMatchObject({ type: 'reply', bytes: 104 })
})
