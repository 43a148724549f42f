import OpenAI from 'openai'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ExampleProcess, startExample } from '../../../tests/example-process.ts'

let example: ExampleProcess
let client: OpenAI
beforeAll(async () => {
  example = await startExample('sveltekit-route')
  const [apiKey] = await example.line(/tvm_\S+/)
  client = new OpenAI({ baseURL: `${example.url}/ai/v1`, apiKey })
})
afterAll(() => example?.[Symbol.asyncDispose]())

it("serves the application's own pages, which use the gateway without HTTP", async () => {
  expect(await (await fetch(example.url)).text()).toContain('<li>local/echo-no-llm</li>')
  expect((await fetch(`${example.url}/ai/nothing`)).status).toBe(404)
})

it('streams to the official client', async () => {
  const stream = await client.chat.completions.create({
    model: 'local/echo-no-llm',
    messages: [{ role: 'user', content: 'Hello, host' }],
    stream: true,
  })
  const pieces: string[] = []
  for await (const { choices } of stream) pieces.push(choices[0]?.delta.content ?? '')
  expect(pieces.join('')).toContain('Hello, host')
  expect(pieces.length).toBeGreaterThan(2)
})

it("accepts requests over the framework's own limit of 512 KiB", async () => {
  const content = 'long '.repeat(200_000)
  const completion = await client.chat.completions.create({
    model: 'local/echo-no-llm',
    messages: [{ role: 'user', content }],
  })
  expect(completion.usage?.prompt_tokens).toBeGreaterThan(100_000)
})

it('answers every method as the contract declares', async () => {
  const headers = { 'content-type': 'application/json' }
  const refused = await fetch(`${example.url}/ai/health`, { method: 'DELETE', headers })
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  const head = await fetch(`${example.url}/ai/health`, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
})

it('exits with 0 on SIGTERM', async () => {
  expect(await example.stop()).toBe(0)
})
