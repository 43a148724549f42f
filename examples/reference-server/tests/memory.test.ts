import { readFileSync } from 'node:fs'
import { Pool } from 'undici'
import { expect, it } from 'vitest'
import { createKey, type ServerProcess, startServer } from './server-process.ts'

const residentMegabytes = ({ process: { pid } }: ServerProcess): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

const openFiles = ({ process: { pid } }: ServerProcess): number =>
  Number(/FDSize:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])

it('uses a constant amount of memory over 12,000 chats, streamed and not streamed', async () => {
  await using server = await startServer({
    environment: { NODE_OPTIONS: '--max-old-space-size=128 --max-semi-space-size=8' },
  })
  const keys = await Promise.all(
    Array.from({ length: 32 }, (_, client) => createKey(server, { name: `key ${client}`, rate_limit: 2000 })),
  )
  const pool = new Pool(server.url, { connections: 32 })
  const ask = async (client: number, stream: boolean) => {
    const { statusCode, body } = await pool.request({
      path: '/v1/chat/completions',
      method: 'POST',
      headers: { authorization: `Bearer ${keys[client]}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'local/echo-no-llm',
        stream,
        messages: [{ role: 'user', content: 'one two three' }],
      }),
    })
    const text = await body.text()
    if (statusCode !== 200) throw new Error(`${statusCode} ${text}`)
  }
  const load = (requests: number) =>
    Promise.all(
      Array.from({ length: 32 }, async (_, client) => {
        for (let index = client; index < requests; index += 32) await ask(client, index % 64 < 32)
      }),
    )
  try {
    await load(3_000)
    const before = { memory: residentMegabytes(server), files: openFiles(server) }
    await load(9_000)
    // The server begins small: SQLite's cache of 16 MB and the heap still fill, by 65 MB until about 40,000 chats.
    expect(residentMegabytes(server) - before.memory).toBeLessThan(64)
    expect(openFiles(server)).toBe(before.files)
  } finally {
    await pool.destroy()
  }
}, 180_000)
