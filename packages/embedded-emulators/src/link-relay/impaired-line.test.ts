import { type Impairment, noImpairment } from '@trivium/emulation-core/ports'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../tests/seeded-random.ts'
import { createVirtualClock } from '../../tests/virtual-clock.ts'
import { createImpairedLine } from './impaired-line.ts'

function createBench(impairment: Partial<Impairment>, seed = 1) {
  const clock = createVirtualClock()
  const begin = clock.now()
  const arrivals: { readonly frame: Uint8Array; readonly at: number }[] = []
  let dropped = 0
  const line = createImpairedLine({
    impairment: { ...noImpairment, ...impairment },
    clock,
    random: seededRandom(seed),
    deliver: (frame) => arrivals.push({ frame, at: clock.now() - begin }),
    dropped: () => {
      dropped += 1
    },
  })
  return {
    clock,
    line,
    arrivals,
    get dropped() {
      return dropped
    },
  }
}

function numbered(number: number, length = 64): Uint8Array {
  const frame = new Uint8Array(length)
  new DataView(frame.buffer).setUint32(0, number)
  return frame
}

const numberOf = (frame: Uint8Array): number => new DataView(frame.buffer, frame.byteOffset).getUint32(0)

describe('a delay', () => {
  it('carries 150,000 frames a second, each of them 10 ms late', () => {
    const bench = createBench({ delayMilliseconds: 10 })
    for (let tick = 0; tick < 1000; tick += 1) {
      for (let frame = 0; frame < 150; frame += 1) bench.line.push(numbered(tick * 150 + frame))
      bench.clock.advance(1)
    }
    expect(bench.arrivals.filter(({ at }) => at <= 1000)).toHaveLength(150 * 991)
    bench.clock.advance(10)
    expect(bench.arrivals).toHaveLength(150_000)
    expect(bench.dropped).toBe(0)
    expect(
      bench.arrivals.every(({ frame, at }, index) => numberOf(frame) === index && at === 10 + Math.floor(index / 150)),
    ).toBe(true)
  })

  it('sets one timer for all frames that wait, and none while none waits', () => {
    const bench = createBench({ delayMilliseconds: 10 })
    expect(bench.clock.timers).toBe(0)
    for (let frame = 0; frame < 1000; frame += 1) bench.line.push(numbered(frame))
    expect(bench.clock.timers).toBe(1)
    bench.clock.advance(10)
    expect(bench.clock.timers).toBe(0)
    expect(bench.line.waiting).toBe(0)
  })

  it('drops frames beyond 64 MiB', () => {
    const bench = createBench({ delayMilliseconds: 60_000 })
    const jumbo = new Uint8Array(60_000)
    for (let frame = 0; frame < 2000; frame += 1) bench.line.push(jumbo)
    expect(bench.line.waiting).toBe(Math.floor((64 * 1024 * 1024) / 60_000))
    expect(bench.dropped).toBe(2000 - bench.line.waiting)
  })

  it('copies a small frame of a large buffer', () => {
    const bench = createBench({ delayMilliseconds: 1 })
    bench.line.push(new Uint8Array(1_000_000).subarray(0, 64))
    bench.clock.advance(1)
    expect(bench.arrivals[0]?.frame.buffer.byteLength).toBe(64)
  })

  it('copies many small frames of a large buffer into little memory', () => {
    const bench = createBench({ delayMilliseconds: 10 })
    const large = new Uint8Array(1_000_000)
    for (let number = 0; number < 3000; number += 1) {
      const frame = large.subarray(number * 100, number * 100 + 64)
      frame.set(numbered(number))
      bench.line.push(frame)
      frame.fill(255)
      if (number % 500 === 0) bench.clock.advance(1)
    }
    bench.clock.advance(10)
    expect(bench.arrivals.map(({ frame }) => numberOf(frame))).toEqual(
      Array.from({ length: 3000 }, (_, index) => index),
    )
    const buffers = new Set(bench.arrivals.map(({ frame }) => frame.buffer))
    const bytes = [...buffers].reduce((sum, buffer) => sum + buffer.byteLength, 0)
    expect(bytes).toBeLessThan(2 * 3000 * 64)
  })
})

describe('jitter', () => {
  it('spreads evenly around the delay and keeps the order', () => {
    const bench = createBench({ delayMilliseconds: 50, jitterMilliseconds: 10 })
    for (let frame = 0; frame < 2000; frame += 1) {
      bench.line.push(numbered(frame))
      bench.clock.advance(100)
    }
    const delays = bench.arrivals.map(({ at }, index) => at - index * 100)
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(40)
    expect(Math.max(...delays)).toBeLessThanOrEqual(60)
    const mean = delays.reduce((sum, delay) => sum + delay, 0) / delays.length
    expect(Math.abs(mean - 50)).toBeLessThan(0.5)
    expect(delays.filter((delay) => delay < 45).length).toBeGreaterThan(400)
    expect(delays.filter((delay) => delay > 55).length).toBeGreaterThan(400)
  })

  it('never reorders frames', () => {
    const gaps = fc.array(fc.nat(20), { minLength: 1, maxLength: 100 })
    fc.assert(
      fc.property(gaps, fc.nat(30), fc.nat(30), fc.nat(), (waits, delay, jitter, seed) => {
        const bench = createBench({ delayMilliseconds: delay, jitterMilliseconds: jitter }, seed)
        waits.forEach((wait, frame) => {
          bench.line.push(numbered(frame))
          bench.clock.advance(wait)
        })
        bench.clock.advance(100)
        expect(bench.arrivals.map(({ frame }) => numberOf(frame))).toEqual(waits.map((_, frame) => frame))
      }),
    )
  })
})

describe('a bandwidth', () => {
  it('passes 1 Mbit/s at 1 Mbit/s', () => {
    const bench = createBench({ bandwidthBitsPerSecond: 1_000_000 })
    for (let tick = 0; tick < 10_000; tick += 1) {
      bench.line.push(numbered(tick, 1250))
      bench.clock.advance(1)
    }
    const bits = bench.arrivals.filter(({ at }) => at <= 10_000).reduce((sum, { frame }) => sum + frame.length * 8, 0)
    expect(bits).toBe(10_000_000)
  })

  it.each([64, 300, 1400])('passes 1 Mbit/s with frames of %i bytes', (length) => {
    const bench = createBench({ bandwidthBitsPerSecond: 1_000_000 })
    for (let tick = 0; tick < 10_000; tick += 1) {
      for (let burst = 0; burst < 4; burst += 1) bench.line.push(numbered(tick, length))
      bench.clock.advance(1)
    }
    const bits = bench.arrivals.reduce((sum, { frame }) => sum + frame.length * 8, 0)
    expect(bits).toBeGreaterThan(10_000_000 - length * 8)
    expect(bits).toBeLessThanOrEqual(10_000_000)
  })

  it('queues 64 KiB by default, and drops further frames', () => {
    const bench = createBench({ bandwidthBitsPerSecond: 8000 })
    for (let frame = 0; frame < 100; frame += 1) bench.line.push(numbered(frame, 1024))
    expect(bench.line.waiting).toBe(64)
    expect(bench.dropped).toBe(36)
    const small = createBench({ bandwidthBitsPerSecond: 8000, queueBytes: 2048 })
    for (let frame = 0; frame < 100; frame += 1) small.line.push(numbered(frame, 1024))
    expect(small.line.waiting).toBe(2)
  })

  it('passes a frame that is larger than the queue', () => {
    const bench = createBench({ bandwidthBitsPerSecond: 8000, queueBytes: 1 })
    bench.line.push(numbered(1, 1000))
    bench.clock.advance(1000)
    expect(bench.arrivals.map(({ at }) => at)).toEqual([1000])
  })

  it('takes effect before the delay', () => {
    const bench = createBench({ bandwidthBitsPerSecond: 8000, delayMilliseconds: 500 })
    bench.line.push(numbered(0, 100))
    bench.line.push(numbered(1, 100))
    bench.clock.advance(1000)
    expect(bench.arrivals.map(({ at }) => at)).toEqual([600, 700])
  })
})

describe('a random impairment', () => {
  const frames = 100_000
  /** 4.5 standard deviations of a fair draw. */
  const bound = 4.5 * Math.sqrt(frames * 0.1 * 0.9)

  it('loses 10 percent at a loss of 10 percent', () => {
    const bench = createBench({ lossPercent: 10 })
    for (let frame = 0; frame < frames; frame += 1) bench.line.push(numbered(frame))
    expect(Math.abs(bench.dropped - frames / 10)).toBeLessThan(bound)
    expect(bench.arrivals).toHaveLength(frames - bench.dropped)
  })

  it('loses frames independently of each other', () => {
    const bench = createBench({ lossPercent: 10 }, 7)
    for (let frame = 0; frame < frames; frame += 1) bench.line.push(numbered(frame))
    const arrived = new Set(bench.arrivals.map(({ frame }) => numberOf(frame)))
    let pairs = 0
    for (let frame = 1; frame < frames; frame += 1) if (!arrived.has(frame) && !arrived.has(frame - 1)) pairs += 1
    expect(Math.abs(pairs - frames * 0.01)).toBeLessThan(4.5 * Math.sqrt(frames * 0.01))
  })

  it('duplicates 10 percent, each copy directly after its frame', () => {
    const bench = createBench({ duplicationPercent: 10 }, 2)
    for (let frame = 0; frame < frames; frame += 1) bench.line.push(numbered(frame))
    const extra = bench.arrivals.length - frames
    expect(Math.abs(extra - frames / 10)).toBeLessThan(bound)
    const numbers = bench.arrivals.map(({ frame }) => numberOf(frame))
    expect(numbers.every((number, index) => index === 0 || number - (numbers[index - 1] ?? 0) <= 1)).toBe(true)
  })

  it('flips one bit in 10 percent, and leaves the sent frame unchanged', () => {
    const bench = createBench({ corruptionPercent: 10 }, 3)
    const sent = new Uint8Array(64)
    for (let frame = 0; frame < frames; frame += 1) bench.line.push(sent)
    const bits = (frame: Uint8Array) =>
      frame.reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0)
    const damaged = bench.arrivals.filter(({ frame }) => bits(frame) > 0)
    expect(Math.abs(damaged.length - frames / 10)).toBeLessThan(bound)
    expect(damaged.every(({ frame }) => bits(frame) === 1)).toBe(true)
    expect(bits(sent)).toBe(0)
    expect(new Set(damaged.map(({ frame }) => frame.findIndex((byte) => byte !== 0))).size).toBe(64)
  })

  it('loses all frames at 100 percent and none at 0 percent', () => {
    const all = createBench({ lossPercent: 100 })
    const none = createBench({ lossPercent: 0 })
    for (let frame = 0; frame < 1000; frame += 1) {
      all.line.push(numbered(frame))
      none.line.push(numbered(frame))
    }
    expect([all.arrivals.length, all.dropped]).toEqual([0, 1000])
    expect([none.arrivals.length, none.dropped]).toEqual([1000, 0])
  })

  it('repeats exactly with the same seed', () => {
    const run = () => {
      const bench = createBench(
        { lossPercent: 5, duplicationPercent: 5, corruptionPercent: 5, jitterMilliseconds: 3 },
        11,
      )
      for (let frame = 0; frame < 500; frame += 1) bench.line.push(numbered(frame))
      bench.clock.advance(10)
      return bench.arrivals
    }
    expect(run()).toEqual(run())
  })
})

describe('a line in which frames wait', () => {
  it('keeps the time and order of the frames when the impairment changes', () => {
    const bench = createBench({ delayMilliseconds: 100 })
    bench.line.push(numbered(0))
    bench.line.set(noImpairment)
    bench.line.push(numbered(1))
    bench.clock.advance(99)
    expect(bench.arrivals).toEqual([])
    bench.clock.advance(1)
    expect(bench.arrivals.map(({ frame }) => numberOf(frame))).toEqual([0, 1])
    bench.line.push(numbered(2))
    expect(bench.arrivals).toHaveLength(3)
  })

  it('drops the frames when it closes', () => {
    const bench = createBench({ delayMilliseconds: 100 })
    bench.line.push(numbered(0))
    bench.line.close()
    expect(bench.clock.timers).toBe(0)
    bench.clock.advance(1000)
    expect(bench.arrivals).toEqual([])
  })
})
