import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { delta, fakeProvider, finish, textStream, usage } from './fake-provider.ts'
import { openGateway } from './open-gateway.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

it('uses no more memory after 20,000 requests, complete, streamed and cancelled', async () => {
  const text = `${[delta('Hi'), finish, usage].map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`
  const provider = fakeProvider({ stream: () => textStream(text) })
  const open = openGateway({ providers: [provider], usage: { flushMs: 5 } })
  const { secret } = await open.key({ rateLimit: 100_000 })
  const kinds = [
    async () => (await open.chat(secret)).text(),
    async () => (await open.chat(secret, { stream: true })).text(),
    async () => (await open.chat(secret, { stream: true })).body?.cancel(),
    async () => (await open.chat(secret, { model: 'none' })).text(),
  ]
  const run = async (requests: number) => {
    for (let sent = 0; sent < requests; sent += 40) {
      await Promise.all(Array.from({ length: 40 }, (_, index) => kinds[index % kinds.length]?.()))
      open.records.length = 0
      provider.calls.length = 0
      await open.repositories.usage.removeBefore(new Date(open.time + 1))
      open.time += 61_000
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
    collectGarbage()
    return process.memoryUsage().heapUsed
  }
  const before = await run(4_000)
  const after = await run(16_000)
  expect((after - before) / 2 ** 20).toBeLessThan(4)
}, 120_000)
