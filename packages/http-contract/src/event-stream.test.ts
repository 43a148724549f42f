import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { encodeEvents, encodeLines, KEEP_ALIVE_COMMENT } from './event-stream.ts'

const interrupted = (error: unknown) => ({ error: String(error) })

async function collect(chunks: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const chunk of chunks) text += chunk
  return text
}

async function* of(items: readonly unknown[]) {
  yield* items
}

async function* failingAfter(...events: readonly unknown[]) {
  yield* events
  throw new Error('source failed')
}

const endless = (calls: string[]): AsyncIterable<number> => ({
  [Symbol.asyncIterator]: () => ({
    next: async () => {
      calls.push('next')
      return { done: false, value: 1 }
    },
    return: async () => {
      calls.push('return')
      return { done: true, value: undefined }
    },
  }),
})

/** Parses an event stream as its specification requires. */
function parse(text: string): { name?: string; data: unknown }[] {
  return text
    .split('\n\n')
    .filter((block) => block !== '' && !block.startsWith(':'))
    .map((block) => {
      const lines = block
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)])
      const fields: Record<string, string | undefined> = Object.fromEntries(lines)
      const data: unknown = JSON.parse(fields.data ?? '')
      return fields.event === undefined ? { data } : { name: fields.event, data }
    })
}

describe('encodeEvents', () => {
  it('encodes each JSON value as one event', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue()), async (values) => {
        const encoded = encodeEvents(of(values), { eventName: () => 'change' }, interrupted)
        const expected = values.map((data) => ({ name: 'change', data: JSON.parse(JSON.stringify(data)) }))
        expect(parse(await collect(encoded))).toEqual(expected)
      }),
    )
  })

  it('ends with the sentinel only if the source ends without an error', async () => {
    const options = { sentinel: '[DONE]' }
    expect(await collect(encodeEvents(of([1]), options, interrupted))).toBe('data: 1\n\ndata: [DONE]\n\n')
    expect(await collect(encodeEvents(failingAfter(1), options, interrupted))).toBe(
      'data: 1\n\ndata: {"error":"Error: source failed"}\n\n',
    )
  })

  it('interrupts the stream and closes the source when an event cannot be encoded', async () => {
    const calls: string[] = []
    const encoded = encodeEvents(endless(calls), { eventName: () => BigInt(1).toString().repeat(-1) }, interrupted)
    expect(await collect(encoded)).toContain('RangeError')
    expect(calls).toEqual(['next', 'return'])
  })

  it('closes the source when the reader stops, also before the first event', async () => {
    for (const options of [{}, { keepAliveSeconds: 1 }]) {
      const unread: string[] = []
      const iterator = encodeEvents(endless(unread), options, interrupted)[Symbol.asyncIterator]()
      await iterator.return?.()
      expect(unread).toEqual(['return'])
      expect(await iterator.next()).toEqual({ done: true, value: undefined })

      const calls: string[] = []
      for await (const chunk of encodeEvents(endless(calls), options, interrupted)) if (chunk) break
      expect(calls).toEqual(['next', 'return'])
    }
  })

  describe('with keep-alive comments', () => {
    afterEach(() => vi.useRealTimers())

    it('sends one comment for each period of silence, and loses no event', async () => {
      vi.useFakeTimers()
      let deliver: (result: IteratorResult<number>) => void = () => undefined
      const source: AsyncIterable<number> = {
        [Symbol.asyncIterator]: () => ({
          next: () =>
            new Promise((resolve) => {
              deliver = resolve
            }),
        }),
      }
      const iterator = encodeEvents(source, { keepAliveSeconds: 5 }, interrupted)[Symbol.asyncIterator]()
      for (const _ of [1, 2]) {
        const next = iterator.next()
        await vi.advanceTimersByTimeAsync(5000)
        expect((await next).value).toBe(KEEP_ALIVE_COMMENT)
      }
      const next = iterator.next()
      await vi.advanceTimersByTimeAsync(4999)
      deliver({ done: false, value: 7 })
      expect((await next).value).toBe('data: 7\n\n')
      const last = iterator.next()
      deliver({ done: true, value: undefined })
      expect((await last).done).toBe(true)
      expect(vi.getTimerCount()).toBe(0)
    })

    it('stops the timer when the reader stops', async () => {
      vi.useFakeTimers()
      const iterator = encodeEvents(
        { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) },
        { keepAliveSeconds: 5 },
        interrupted,
      )[Symbol.asyncIterator]()
      void iterator.next()
      await iterator.return?.()
      expect(vi.getTimerCount()).toBe(0)
    })
  })
})

describe('encodeLines', () => {
  it('writes one JSON value on each line', async () => {
    const text = await collect(encodeLines(of([{ a: 'x\ny' }, null]), () => undefined))
    expect(text).toBe('{"a":"x\\ny"}\nnull\n')
  })

  it('rejects and reports the error when the source fails', async () => {
    const faults: unknown[] = []
    const lines = encodeLines(failingAfter(1), (error) => faults.push(error))
    await expect(collect(lines)).rejects.toThrow('source failed')
    expect(faults).toHaveLength(1)
  })
})
