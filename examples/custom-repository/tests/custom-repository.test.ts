import OpenAI from 'openai'
import { expect, it, vi } from 'vitest'
import { startExample } from '../../../tests/example-process.ts'

it('writes invoices by a join of its own table with the usage of the gateway', async () => {
  await using example = await startExample('custom-repository')
  const keys: string[] = []
  for (const name of ['acme', 'globex']) {
    const response = await fetch(`${example.url}/customers/${name}`, { method: 'POST' })
    const { apiKey }: { apiKey: string } = await response.json()
    keys.push(apiKey)
  }
  const client = new OpenAI({ baseURL: `${example.url}/ai/v1`, apiKey: keys[0] })
  const { usage } = await client.chat.completions.create({
    model: 'local/echo-no-llm',
    messages: [{ role: 'user', content: 'Hello' }],
  })
  await vi.waitFor(async () => {
    const response = await fetch(`${example.url}/invoices`)
    expect(await response.json()).toEqual([
      { name: 'acme', requests: 1, tokens: usage?.total_tokens },
      { name: 'globex', requests: 0, tokens: 0 },
    ])
  }, 30_000)
  expect(await example.stop()).toBe(0)
})
