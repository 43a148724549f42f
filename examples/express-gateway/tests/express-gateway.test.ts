import OpenAI from 'openai'
import { expect, it } from 'vitest'
import { startExample } from '../../../tests/example-process.ts'

it('adds a gateway to an application, whose own routes continue to work', async () => {
  await using example = await startExample('express-gateway')
  const home = await fetch(example.url)
  expect(await home.text()).toContain('application of its own')

  const [apiKey] = await example.line(/tvm_\S+/)
  const client = new OpenAI({ baseURL: `${example.url}/ai/v1`, apiKey })
  const completion = await client.chat.completions.create({
    model: 'local/echo-no-llm',
    messages: [{ role: 'user', content: 'Hello, host' }],
  })
  expect(completion.choices[0]?.message.content).toContain('Hello, host')
  expect(await example.stop()).toBe(0)
})
