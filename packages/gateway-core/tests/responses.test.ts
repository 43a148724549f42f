import { describe, expect, it } from 'vitest'
import { scripts } from './dialects/dialect-scripts.ts'
import { dialectUpstream, streaming } from './dialects/dialect-upstream.ts'
import { expectFailure, openGateway, settled } from './open-gateway.ts'

const body = { model: 'up/big', ...scripts.responses.request }

describe('requests for responses', () => {
  it('reach an upstream of responses in the bytes of the client, but for the model and the timeout', async () => {
    const upstream = await dialectUpstream('responses')
    const open = openGateway({ providers: [upstream.provider] })
    const { secret } = await open.key()
    const text = '{ "model":"up/big", "input": "Hi", "timeout": 20, "new_field" : [1.0] }'
    await open.send('/v1/responses', { as: secret, method: 'POST', body: text })
    expect(upstream.seen[0]?.body).toBe('{ "model":"big", "input": "Hi", "new_field" : [1.0] }')
  })

  it('get a refusal that names the field that the upstream cannot carry', async () => {
    const upstream = await dialectUpstream('messages')
    const open = openGateway({ providers: [upstream.provider] })
    const { secret } = await open.key()
    const response = await open.send('/v1/responses', {
      as: secret,
      body: { ...body, tool_choice: { type: 'file_search' } },
    })
    await expectFailure(response, 400, { type: 'invalid_request_error', param: 'tool_choice' })
    expect(upstream.seen).toEqual([])
  })

  it('name in a header the descriptions and details that an upstream of messages cannot carry', async () => {
    const { provider } = await dialectUpstream('messages')
    const open = openGateway({ providers: [provider] })
    const { secret } = await open.key()
    const input = [
      {
        role: 'user',
        content: [{ type: 'input_image', image_url: 'https://images.example/a.png', detail: 'high' }],
      },
    ]
    const files = { type: 'namespace', name: 'files', description: 'Works with files' }
    const tools = [{ ...files, tools: [{ type: 'function', name: 'read', parameters: { type: 'object' } }] }]
    const response = await open.send('/v1/responses', { as: secret, body: { model: 'up/big', input, tools } })
    expect(response.status).toBe(200)
    const omitted = response.headers.get('x-trivium-omitted')?.split(', ').sort()
    expect(omitted).toEqual(['detail', 'tools.namespace.description'])
  })

  it('count as failed where the response fails, and the client gets the event', async () => {
    const failed = {
      type: 'response.failed',
      sequence_number: 2,
      response: { ...scripts.responses.answer, status: 'failed', error: { code: 'server_error', message: 'Crashed' } },
    }
    const event = `event: response.failed\ndata: ${JSON.stringify(failed)}\n\n`
    const { events } = scripts.responses
    const upstream = await dialectUpstream('responses', streaming([...events.slice(0, 2), event]))
    const open = openGateway({ providers: [upstream.provider] })
    const { secret } = await open.key()
    const response = await open.send('/v1/responses', { as: secret, body: { ...body, stream: true } })
    expect(await response.text()).toBe(events.slice(0, 2).join('') + event)
    await settled()
    expect(open.records).toMatchObject([{ status: 502, inputTokens: 9, partial: true }])
  })

  it.each([
    ['is cut', '', 'upstream_incomplete'],
    ['has only an error', scripts.responses.error, 'server_error'],
  ])('end as OpenAI ends them, with an error and the response, where a relayed stream %s', async (_, last, code) => {
    const { events } = scripts.responses
    const upstream = await dialectUpstream('responses', streaming([...events.slice(0, 2), last]))
    const open = openGateway({ providers: [upstream.provider] })
    const { secret } = await open.key()
    const response = await open.send('/v1/responses', { as: secret, body: { ...body, stream: true } })
    const [error, failed] = (await response.text())
      .split('\n\n')
      .filter((event) => event !== '')
      .slice(-2)
      .map((event) => JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? ''))
    expect(error).toMatchObject({ type: 'error', code })
    expect(failed).toMatchObject({
      type: 'response.failed',
      sequence_number: error.sequence_number + 1,
      response: {
        id: scripts.responses.answer.id,
        object: 'response',
        status: 'failed',
        error: { code: 'server_error' },
        output: [],
        tools: [],
        metadata: {},
      },
    })
    await settled()
    expect(open.records).toMatchObject([{ partial: true }])
  })

  it.each([false, true])('report the complete answer to the caller of the service, streamed: %j', async (stream) => {
    const upstream = await dialectUpstream('chat')
    const open = openGateway({ providers: [upstream.provider] })
    const answers: unknown[] = []
    const call = { requestId: 'req_1', caller: { type: 'admin' as const }, signal: new AbortController().signal }
    const request = { body: { ...body, stream }, onAnswer: (answer: unknown) => answers.push(answer) }
    if (stream) {
      const streamed = (await open.gateway.responses.stream(call, request))._unsafeUnwrap()
      await new Promise<void>((resolve) => streamed.attach({ write: () => true, end: resolve }))
      await settled()
    } else {
      await open.gateway.responses.complete(call, request)
    }
    expect(answers).toMatchObject([{ object: 'response', status: 'completed', output: [{ type: 'message' }, {}] }])
  })
})
