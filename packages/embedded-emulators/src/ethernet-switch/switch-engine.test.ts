import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createVirtualClock } from '../../tests/virtual-clock.ts'
import { writeEthernet } from '../frames/ethernet.ts'
import { isTagged, vlanOf } from '../frames/vlan-tag.ts'
import { createSwitchEngine, type SwitchEngine, type SwitchEngineOptions } from './switch-engine.ts'
import type { PortMode } from './switch-port.ts'

const vlans = fc.integer({ min: 1, max: 4 })
const modes: fc.Arbitrary<PortMode> = fc.record({ type: fc.constantFrom('access', 'dot1q', 'qinq'), vlan: vlans })
const accessAndTrunks = fc.array(
  fc.record({ type: fc.constantFrom('access' as const, 'dot1q' as const), vlan: vlans }),
  {
    minLength: 2,
    maxLength: 8,
  },
)

const hosts = fc.integer({ min: 1, max: 6 }).map((host) => 0x020000000000 + host)
const destinations = fc.oneof(hosts, fc.constant(0xffffffffffff), fc.constant(0x01005e000001))

function frameOf(destination: number, source: number, tag?: number): Buffer {
  const plain = Buffer.from(
    writeEthernet({ destination, source, etherType: 0x0800, payload: new Uint8Array(30).fill(7) }),
  )
  if (tag === undefined) return plain
  return Buffer.concat([plain.subarray(0, 12), Buffer.of(0x81, 0, tag >> 8, tag & 255), plain.subarray(12)])
}

/** Creates a switch with ports from 0, and collects what it sends. */
function createLab(ports: readonly PortMode[], options?: SwitchEngineOptions) {
  const engine = createSwitchEngine(options)
  let sent: { port: number; frame: Buffer }[] = []
  ports.forEach((mode, port) => {
    engine.addPort(port, mode, (frame) => sent.push({ port, frame: Buffer.from(frame) }))
  })
  return {
    engine,
    receive(port: number, frame: Uint8Array) {
      sent = []
      engine.receive(port, frame)
      return sent
    },
  }
}

const untag = (frame: Buffer): Buffer => Buffer.concat([frame.subarray(0, 12), frame.subarray(16)])

describe('a frame that the switch sends', () => {
  const traffic = fc.array(
    fc.record({ port: fc.nat(7), destination: destinations, source: hosts, tag: fc.option(vlans) }),
    {
      maxLength: 40,
    },
  )

  it('never returns to its port, never leaves a port twice, and leaves the received frame unchanged', () => {
    fc.assert(
      fc.property(fc.array(modes, { minLength: 1, maxLength: 8 }), traffic, (ports, frames) => {
        const lab = createLab(ports)
        for (const { port, destination, source, tag } of frames) {
          const frame = frameOf(destination, source, tag ?? undefined)
          const before = Buffer.from(frame)
          const out = lab.receive(port, frame).map((sent) => sent.port)
          expect(out).not.toContain(port)
          expect(new Set(out).size).toBe(out.length)
          expect(frame).toEqual(before)
        }
      }),
    )
  })

  it('reaches access ports of its VLAN without a tag, and trunks with the tag of its VLAN', () => {
    fc.assert(
      fc.property(accessAndTrunks, traffic, (ports, frames) => {
        const lab = createLab(ports)
        for (const { port, destination, source, tag } of frames) {
          const incoming = ports[port]
          if (incoming === undefined) continue
          const carried = incoming.type === 'dot1q' ? (tag ?? undefined) : undefined
          const vlan = carried ?? incoming.vlan
          const plain = frameOf(destination, source)
          for (const sent of lab.receive(port, frameOf(destination, source, carried))) {
            const out = ports[sent.port]
            if (out?.vlan === vlan) expect(sent.frame).toEqual(plain)
            else {
              expect(out?.type).toBe('dot1q')
              expect(isTagged(sent.frame)).toBe(true)
              expect(vlanOf(sent.frame)).toBe(vlan)
              expect(untag(sent.frame)).toEqual(plain)
            }
          }
        }
      }),
    )
  })

  it('reaches every other port of the VLAN while the address is unknown, then only its port', () => {
    fc.assert(
      fc.property(accessAndTrunks, fc.nat(7), fc.nat(7), (ports, first, second) => {
        const one = ports[first]
        const other = ports[second]
        if (one === undefined || other === undefined || first === second || one.vlan !== other.vlan) return
        const lab = createLab(ports)
        const reachable = ports.flatMap(({ type, vlan }, port) =>
          port !== first && (type === 'dot1q' || vlan === one.vlan) ? [port] : [],
        )
        const flooded = lab.receive(first, frameOf(0x020000000002, 0x020000000001))
        expect(flooded.map(({ port }) => port).sort()).toEqual(reachable.sort())
        expect(lab.receive(second, frameOf(0x020000000001, 0x020000000002)).map(({ port }) => port)).toEqual([first])
        expect(lab.receive(first, frameOf(0x020000000002, 0x020000000001)).map(({ port }) => port)).toEqual([second])
      }),
    )
  })

  it('passes two switches and the trunk between them unchanged', () => {
    fc.assert(
      fc.property(accessAndTrunks, fc.nat(7), vlans, hosts, (ports, port, native, source) => {
        if (ports[port] === undefined) return
        const frame = frameOf(0xffffffffffff, source)
        const near = createLab([...ports, { type: 'dot1q', vlan: native }])
        const far = createLab([...ports, { type: 'dot1q', vlan: native }])
        const trunk = ports.length
        const across = near.receive(port, frame).find((sent) => sent.port === trunk)
        const direct = createLab(ports).receive(port, frame)
        const arrived = across === undefined ? [] : far.receive(trunk, across.frame)
        expect(arrived.filter((sent) => sent.port !== port)).toEqual(direct)
      }),
    )
  })
})

describe('the MAC table of the switch', () => {
  const table = (engine: SwitchEngine) =>
    engine.macTable.entries().map(({ mac, vlan, port }) => [vlan, mac, port.number])

  it('contains the port where an address was last seen, for each VLAN', () => {
    const { engine, receive } = createLab([
      { type: 'dot1q', vlan: 1 },
      { type: 'dot1q', vlan: 1 },
    ])
    receive(0, frameOf(0xffffffffffff, 0x020000000001, 10))
    receive(1, frameOf(0xffffffffffff, 0x020000000001, 20))
    expect(table(engine)).toEqual([
      [10, 0x020000000001, 0],
      [20, 0x020000000001, 1],
    ])
    receive(1, frameOf(0xffffffffffff, 0x020000000001, 10))
    expect(table(engine)[0]).toEqual([10, 0x020000000001, 1])
  })

  it('never exceeds its limit, and always contains the newest address', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(vlans, fc.nat(40)), { maxLength: 200 }), (seen) => {
        const { engine, receive } = createLab([{ type: 'dot1q', vlan: 1 }], { macTableLimit: 8 })
        for (const [vlan, host] of seen) {
          receive(0, frameOf(0xffffffffffff, 0x020000000000 + host, vlan))
          const entries = engine.macTable.entries()
          expect(entries.length).toBeLessThanOrEqual(8)
          expect(entries.some((entry) => entry.vlan === vlan && entry.mac === 0x020000000000 + host)).toBe(true)
        }
      }),
    )
  })

  it('loses addresses when their port is removed or gets other settings, and when it is cleared', () => {
    const access: PortMode = { type: 'access', vlan: 1 }
    const { engine, receive } = createLab([access, access])
    const learn = () => {
      receive(0, frameOf(0xffffffffffff, 0x020000000001))
      receive(1, frameOf(0xffffffffffff, 0x020000000002))
    }
    learn()
    engine.setMode(0, access)
    expect(table(engine)).toHaveLength(2)
    engine.setMode(0, { type: 'access', vlan: 2 })
    expect(table(engine)).toEqual([[1, 0x020000000002, 1]])
    engine.removePort(1)
    expect(table(engine)).toEqual([])
    receive(0, frameOf(0xffffffffffff, 0x020000000001))
    engine.macTable.clear()
    expect(table(engine)).toEqual([])
  })
})

describe('the ageing of addresses', () => {
  const access: PortMode = { type: 'access', vlan: 1 }
  const hello = (host: number) => frameOf(0xffffffffffff, 0x020000000000 + host)

  function openAgeing() {
    const clock = createVirtualClock()
    const engine = createSwitchEngine({}, clock)
    for (const port of [1, 2]) engine.addPort(port, access, () => {})
    const known = () => engine.macTable.entries().map(({ mac }) => mac - 0x020000000000)
    return { clock, engine, known }
  }

  it('forgets an address after 300 to 330 seconds in which it sends nothing', () => {
    const { clock, engine, known } = openAgeing()
    engine.receive(1, hello(1))
    engine.receive(2, hello(2))
    clock.advance(200_000)
    engine.receive(2, hello(2))
    clock.advance(99_000)
    expect(known()).toEqual([1, 2])
    clock.advance(31_000)
    expect(known()).toEqual([2])
    clock.advance(200_000)
    expect(known()).toEqual([])
    expect(clock.timers).toBe(0)
  })

  it('forgets no address earlier than its time, and none later than a tenth more', () => {
    const times = fc.array(fc.record({ host: fc.nat(5), pause: fc.nat(20_000) }), { maxLength: 40 })
    fc.assert(
      fc.property(fc.integer({ min: 10, max: 60 }), times, (seconds, events) => {
        const { clock, engine, known } = openAgeing()
        engine.setMacAgeing(seconds)
        const last = new Map<number, number>()
        for (const { host, pause } of events) {
          engine.receive(1, hello(host))
          last.set(host, clock.now())
          clock.advance(pause)
          const present = new Set(known())
          for (const [other, seen] of last) {
            const silent = (clock.now() - seen) / 1000
            if (silent < seconds) expect(present.has(other)).toBe(true)
            if (silent > seconds * 1.1) expect(present.has(other)).toBe(false)
          }
        }
      }),
    )
  })

  it('keeps addresses with 0, and forgets them again with another time', () => {
    const { clock, engine, known } = openAgeing()
    engine.setMacAgeing(0)
    engine.receive(1, hello(1))
    clock.advance(10_000_000)
    expect([known(), clock.timers]).toEqual([[1], 0])
    engine.setMacAgeing(10)
    clock.advance(11_000)
    expect(known()).toEqual([])
  })

  it('learns no group address', () => {
    const { engine, known } = openAgeing()
    engine.receive(1, frameOf(0xffffffffffff, 0x01005e000001))
    expect(known()).toEqual([])
  })

  it('has no timer after the switch has stopped', () => {
    const { clock, engine } = openAgeing()
    engine.receive(1, hello(1))
    expect(clock.timers).toBe(1)
    engine.stop()
    expect(clock.timers).toBe(0)
  })
})

describe('storm control', () => {
  const broadcast = frameOf(0xffffffffffff, 0x020000000001)
  const multicast = frameOf(0x01005e000001, 0x020000000001)
  const unknown = frameOf(0x020000000009, 0x020000000001)

  function openStorm(stormControl: NonNullable<PortMode['stormControl']>) {
    const clock = createVirtualClock()
    const engine = createSwitchEngine({}, clock)
    let passed = 0
    engine.addPort(1, { type: 'access', vlan: 1, stormControl }, () => {})
    engine.addPort(2, { type: 'access', vlan: 1 }, () => {
      passed += 1
    })
    const send = (frame: Uint8Array, times: number, port = 1) => {
      passed = 0
      for (let left = times; left > 0; left -= 1) engine.receive(port, frame)
      return passed
    }
    return { clock, engine, send }
  }

  it.each([
    ['broadcast', broadcast],
    ['multicast', multicast],
    ['unknownUnicast', unknown],
  ] as const)('passes as many %s frames a second as its limit, and counts the others', (sort, frame) => {
    const { clock, engine, send } = openStorm({ [sort]: 10 })
    expect(send(frame, 30)).toBe(10)
    clock.advance(999)
    expect(send(frame, 5)).toBe(0)
    clock.advance(1)
    expect(send(frame, 30)).toBe(10)
    expect(engine.stormDrops(1)).toEqual({ broadcast: 0, multicast: 0, unknownUnicast: 0, [sort]: 45 })
    for (const other of [broadcast, multicast, unknown]) if (other !== frame) expect(send(other, 30)).toBe(30)
  })

  it('never limits frames for a learned address, nor what the port sends', () => {
    const { engine, send } = openStorm({ broadcast: 1, multicast: 1, unknownUnicast: 1 })
    engine.receive(2, frameOf(0xffffffffffff, 0x020000000009))
    expect(send(unknown, 30)).toBe(30)
    let received = 0
    engine.removePort(1)
    engine.addPort(1, { type: 'access', vlan: 1, stormControl: { broadcast: 1 } }, () => {
      received += 1
    })
    send(broadcast, 30, 2)
    expect(received).toBe(30)
  })

  it('changes without the loss of addresses, and ends', () => {
    const { engine, send } = openStorm({ broadcast: 1 })
    expect(send(broadcast, 3)).toBe(1)
    engine.setMode(1, { type: 'access', vlan: 1 })
    expect(engine.macTable.entries()).toHaveLength(1)
    expect(send(broadcast, 3)).toBe(3)
    expect(engine.stormDrops(1).broadcast).toBe(2)
  })
})

describe('the forwarding of invalid frames', () => {
  it('drops frames that are too short, end inside the tag, have VLAN 0 or come from an unknown port', () => {
    const lab = createLab([
      { type: 'dot1q', vlan: 1 },
      { type: 'dot1q', vlan: 1 },
    ])
    const tagged = frameOf(0xffffffffffff, 0x020000000001, 5)
    expect(lab.receive(0, tagged.subarray(0, 13))).toEqual([])
    expect(lab.receive(0, tagged.subarray(0, 17))).toEqual([])
    expect(lab.receive(0, frameOf(0xffffffffffff, 0x020000000001, 0))).toEqual([])
    expect(lab.receive(9, tagged)).toEqual([])
    expect(lab.engine.macTable.entries()).toEqual([])
    expect(lab.receive(0, tagged.subarray(0, 18))).toHaveLength(1)
  })
})
