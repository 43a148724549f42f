import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { ByteCollector } from './byte-collector.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

function memory(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

describe('ByteCollector', () => {
  it.each([[[]], [[[1, 2, 3]]], [[[1], [], [2, 3], [4]]]])('joins the chunks %j', (chunks) => {
    const collector = new ByteCollector()
    for (const chunk of chunks) collector.add(Uint8Array.from(chunk))
    expect([...collector.bytes()]).toEqual(chunks.flat())
    expect(collector.size).toBe(chunks.flat().length)
  })

  it('returns a single chunk without a copy', () => {
    const chunk = new Uint8Array(10)
    const collector = new ByteCollector()
    collector.add(chunk)
    expect(collector.bytes()).toBe(chunk)
  })

  it('keeps the order of many chunks of all sizes', () => {
    const collector = new ByteCollector()
    const expected: Uint8Array[] = []
    for (let index = 0; index < 5000; index += 1) {
      const chunk = new Uint8Array(index % 7 === 0 ? 3000 : index % 5).fill(index)
      expected.push(chunk)
      collector.add(chunk)
    }
    expect(Buffer.compare(collector.bytes(), Buffer.concat(expected))).toBe(0)
  })

  it('needs at most 8 MiB for a million chunks of one byte, also for many small chunks', () => {
    const before = memory()
    const collector = new ByteCollector()
    for (let index = 0; index < 1_000_000; index += 1) collector.add(Buffer.from([index]))
    expect(memory() - before).toBeLessThan(8 * 2 ** 20)
    expect(collector.size).toBe(1_000_000)
  })
})
