import { expect, it } from 'vitest'
import { createConsoleBuffer } from './console-buffer.ts'

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

it('takes typed bytes in order, 256 in each turn of the event loop, and buffers at most 64 KiB', async () => {
  const taken: number[] = []
  let most = 0
  const console = createConsoleBuffer((bytes) => {
    most = Math.max(most, bytes.length)
    taken.push(...bytes)
  })
  const typed = Uint8Array.from({ length: 100_000 }, (_, index) => index % 251)
  console.write(typed.subarray(0, 10))
  expect(taken).toEqual([...typed.subarray(0, 10)])
  console.write(typed.subarray(10))
  console.write(Uint8Array.of(255))
  expect(taken).toHaveLength(256)
  let before = -1
  while (before !== taken.length) {
    before = taken.length
    await turn()
  }
  expect(most).toBe(256)
  expect(taken).toEqual([...typed.subarray(0, 256 + 65_536)])
  console.write(Uint8Array.of(7))
  expect(taken.at(-1)).toBe(7)
})
