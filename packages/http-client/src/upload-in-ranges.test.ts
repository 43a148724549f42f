import { createHash } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { type UploadedRange, uploadInRanges } from './upload-in-ranges.ts'

const content = Uint8Array.from({ length: 100 }, (_, index) => index)
const base64 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('base64')

/** A server that keeps the bytes of the ranges that it receives. */
function createServer(kept: readonly number[] = []) {
  const received = [...kept]
  const places: (string | undefined)[] = []
  return {
    received,
    places,
    receivedBytes: async () => received.length,
    send: async ({ upload, headers }: UploadedRange) => {
      places.push(headers['content-range'])
      const bytes = new Uint8Array(await upload.arrayBuffer())
      expect(headers['content-digest']).toBe(`sha-256=:${base64(bytes)}:`)
      received.push(...bytes)
      return `${received.length} bytes`
    },
  }
}

describe('uploadInRanges', () => {
  it('sends each range with its place and digest, and returns the reply to the last one', async () => {
    const { send, received, places } = createServer()
    const progress: number[] = []
    const options = { send, rangeBytes: 40, onProgress: (bytes: number) => progress.push(bytes) }
    expect(await uploadInRanges(new Blob([content]), options)).toBe('100 bytes')
    expect(received).toEqual([...content])
    expect(places).toEqual(['bytes 0-39/100', 'bytes 40-79/100', 'bytes 80-99/100'])
    expect(progress).toEqual([40, 80, 100])
  })

  it('continues where the server is, and sends the expected digest of the whole', async () => {
    const server = createServer([...content.subarray(0, 70)])
    const digests: (string | undefined)[] = []
    await uploadInRanges(new Blob([content]), {
      ...server,
      sha256: createHash('sha256').update(content).digest('hex'),
      send: (range) => {
        digests.push(range.headers['repr-digest'])
        return server.send(range)
      },
    })
    expect(server.received).toEqual([...content])
    expect(server.places).toEqual(['bytes 70-99/100'])
    expect(digests).toEqual([`sha-256=:${base64(content)}:`])
  })

  it('completes an upload that has all of its bytes by an empty range', async () => {
    const server = createServer([...content])
    expect(await uploadInRanges(new Blob([content]), server)).toBe('100 bytes')
    expect(server.places).toEqual(['bytes */100'])
  })

  it('waits after a lost connection, and continues where the server is', async () => {
    vi.useFakeTimers()
    const server = createServer()
    let losses = 2
    const uploaded = uploadInRanges(new Blob([content]), {
      ...server,
      rangeBytes: 50,
      send: async (range) => {
        if (server.received.length === 50 && losses > 0) {
          losses -= 1
          throw new TypeError('fetch failed')
        }
        return server.send(range)
      },
    })
    await vi.waitFor(() => expect(losses).toBe(1))
    await vi.advanceTimersByTimeAsync(1000)
    await vi.waitFor(() => expect(losses).toBe(0))
    await vi.advanceTimersByTimeAsync(2000)
    vi.useRealTimers()
    expect(await uploaded).toBe('100 bytes')
    expect(server.received).toEqual([...content])
  })

  it('rejects as the request does, and without a way to ask for the state also after a lost connection', async () => {
    const refused = new Error('refused')
    const server = createServer()
    await expect(uploadInRanges(new Blob([content]), { ...server, send: () => Promise.reject(refused) })).rejects.toBe(
      refused,
    )
    const send = () => Promise.reject(new TypeError('fetch failed'))
    await expect(uploadInRanges(new Blob([content]), { send })).rejects.toThrow('fetch failed')
  })

  it('stops before the next range when its signal aborts', async () => {
    const server = createServer()
    const controller = new AbortController()
    const options = { ...server, rangeBytes: 10, signal: controller.signal, onProgress: () => controller.abort() }
    await expect(uploadInRanges(new Blob([content]), options)).rejects.toMatchObject({ name: 'AbortError' })
    expect(server.received).toHaveLength(10)
  })
})
