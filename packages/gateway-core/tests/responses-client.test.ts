import { localProvider } from '@trivium/local-provider'
import OpenAI, { BadRequestError, NotFoundError } from 'openai'
import { expect, it } from 'vitest'
import { serveGateway, transports } from './serve-gateway.ts'

it.each(
  transports,
)('the openai client keeps, continues, lists and deletes responses of a chat upstream over %s', async (transport) => {
  const { gateway, url } = await serveGateway(transport, { providers: [localProvider()] })
  const { secret } = (await gateway.apiKeys.generate({ username: 'ada', rateLimit: 1_000 }))._unsafeUnwrap()
  const client = new OpenAI({ apiKey: secret, baseURL: `${url}/v1`, maxRetries: 0 })
  const model = 'local/echo-no-llm'

  const first = await client.responses.create({ model, input: 'Hello' })
  expect((await client.responses.retrieve(first.id)).output).toEqual(first.output)
  const listed = []
  for await (const item of client.responses.inputItems.list(first.id)) listed.push(item)
  expect(listed).toMatchObject([{ role: 'user', content: [{ type: 'input_text', text: 'Hello' }] }])

  const { id } = await client.conversations.create({ metadata: { topic: 'tea' } })
  await client.responses.create({ model, input: 'One', conversation: id })
  const items = []
  for await (const item of client.conversations.items.list(id, { order: 'asc', limit: 1 })) items.push(item)
  expect(items).toMatchObject([
    { role: 'user', status: 'completed' },
    { role: 'assistant', status: 'completed' },
  ])

  const next = await client.responses.create({ model, input: 'And then?', previous_response_id: first.id })
  expect(next.previous_response_id).toBe(first.id)

  const { id: running } = await client.responses.create({ model, input: 'Hello', background: true })
  await expect.poll(async () => (await client.responses.retrieve(running)).status).toBe('completed')
  expect((await client.responses.cancel(running)).status).toBe('completed')

  const streamed = await client.responses.create({ model, input: 'Hello', background: true, stream: true })
  const events = []
  for await (const event of streamed) events.push(event)
  expect(events.map((event) => event.sequence_number)).toEqual([...events.keys()])
  const { id: inBackground } = events[0]?.type === 'response.created' ? events[0].response : { id: '' }
  const again = await client.responses.retrieve(inBackground, { stream: true, starting_after: 2 })
  const replayed = []
  for await (const event of again) replayed.push(event)
  expect(replayed).toEqual(events.slice(3))
  expect(replayed.at(-1)?.type).toBe('response.completed')

  await client.responses.delete(first.id)
  await expect(client.responses.retrieve(first.id)).rejects.toThrow(NotFoundError)
  await expect(client.responses.create({ model, input: 'And then?', previous_response_id: next.id })).rejects.toThrow(
    BadRequestError,
  )
})
