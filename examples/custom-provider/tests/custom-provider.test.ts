import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import OpenAI from 'openai'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ExampleProcess, startExample } from '../../../tests/example-process.ts'

const slow = `slow=node ${join(import.meta.dirname, 'two-pieces.ts')}`
let example: ExampleProcess
let client: OpenAI
let controlServer: Server
beforeAll(async () => {
  controlServer = createServer().listen(0, '127.0.0.1')
  await once(controlServer, 'listening')
  example = await startExample('custom-provider', {
    MODELS: `upper=tr a-z A-Z;broken=false;absent=/does/not/exist;${slow}`,
  })
  const [apiKey] = await example.line(/tvm_\S+/)
  client = new OpenAI({ baseURL: `${example.url}/v1`, apiKey, maxRetries: 0 })
})
afterAll(async () => {
  await example?.[Symbol.asyncDispose]()
  controlServer.close()
})

const ask = (model: string, content: string) => ({
  model: `commands/${model}`,
  messages: [{ role: 'user' as const, content }],
})

/** Returns a prompt that makes the slow model connect to this test, and its connection. */
const slowCall = () => {
  // Only a server on a path has an address of another type.
  const { port } = controlServer.address() as AddressInfo
  const connected: Promise<Socket[]> = once(controlServer, 'connection')
  return { prompt: String(port), connected }
}

it('lists the programs as models', async () => {
  const { data } = await client.models.list()
  expect(data.map(({ id }) => id)).toEqual(['commands/absent', 'commands/broken', 'commands/slow', 'commands/upper'])
})

it('answers with the output of the program, and counts its tokens', async () => {
  const { choices } = await client.chat.completions.create(ask('upper', 'make it loud'))
  expect(choices).toMatchObject([{ message: { content: 'MAKE IT LOUD' }, finish_reason: 'stop' }])
  const usage: unknown = await client.get('/usage?group_by=model')
  expect(usage).toMatchObject({ data: [{ model: 'commands/upper', requests: 1, output_tokens: expect.any(Number) }] })
})

it('forwards each piece immediately', async () => {
  const { prompt, connected } = slowCall()
  const stream = await client.chat.completions.create({ ...ask('slow', prompt), stream: true })
  let text = ''
  for await (const { choices } of stream) {
    const piece = choices[0]?.delta.content ?? ''
    text += piece
    if (piece.includes('first')) {
      const [program] = await connected
      program?.write('go on')
    }
  }
  expect(text).toBe('first last')
})

it('ends the program when its client disconnects', async () => {
  const { prompt, connected } = slowCall()
  const stream = await client.chat.completions.create({ ...ask('slow', prompt), stream: true })
  const [program] = await connected
  const closed = once(program?.on('error', () => undefined) ?? controlServer, 'close')
  stream.controller.abort()
  await closed
})

it.each([
  ['broken', 502],
  ['absent', 502],
])('returns an error for a program that is %s', async (model, status) => {
  await expect(client.chat.completions.create(ask(model, 'x'))).rejects.toMatchObject({ status })
})

it('exits with 0 on SIGTERM', async () => {
  expect(await example.stop()).toBe(0)
})
