import { expect, it } from 'vitest'
import { inBlocks } from './in-blocks.ts'

async function* chunksOf(...chunks: readonly Uint8Array[]) {
  yield* chunks
}

async function blocksOf(chunks: AsyncIterable<Uint8Array>): Promise<readonly Buffer[]> {
  const blocks: Buffer[] = []
  for await (const block of inBlocks(chunks)) blocks.push(Buffer.from(block))
  return blocks
}

it('joins small chunks, keeps large ones, and keeps their order', async () => {
  const large = Buffer.alloc(300_000, 'b')
  const blocks = await blocksOf(chunksOf(Buffer.from('a'), Buffer.from('a'), large, Buffer.from('c')))
  expect(blocks.map(({ length }) => length)).toEqual([2, 300_000, 1])
  expect(Buffer.concat(blocks).equals(Buffer.concat([Buffer.from('aa'), large, Buffer.from('c')]))).toBe(true)
})

it('leaves turns of the event loop to others between chunks of a byte', async () => {
  const byte = Buffer.from('x')
  let turns = 0
  const count = () => {
    turns += 1
    timer = setImmediate(count)
  }
  let timer = setImmediate(count)
  const blocks = await blocksOf(chunksOf(...Array.from({ length: 50_000 }, () => byte)))
  clearImmediate(timer)
  expect(Buffer.concat(blocks)).toHaveLength(50_000)
  expect(turns).toBeGreaterThan(20)
})

it('passes on what arrived before the source fails', async () => {
  async function* failing() {
    yield Buffer.from('kept')
    throw new Error('cut')
  }
  const blocks: string[] = []
  const read = async () => {
    for await (const block of inBlocks(failing())) blocks.push(Buffer.from(block).toString())
  }
  await expect(read()).rejects.toThrow('cut')
  expect(blocks).toEqual(['kept'])
})
