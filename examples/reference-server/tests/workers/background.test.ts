import { expect, it, onTestFinished } from 'vitest'
import { issueKey } from '../replicas/requests.ts'
import { startServer } from '../server-process.ts'
import { chunk, startUpstream } from '../upstream.ts'

const models = '{"object":"list","data":[{"id":"m-1","object":"model","created":1,"owned_by":"them"}]}'

it.each([
  'fastify',
  'express',
  'fetch',
] as const)('shows the events of a response in the background through every worker over %s', async (transport) => {
  let finish = () => {}
  const upstream = await startUpstream((request, response) => {
    if (request.path.endsWith('/models')) return void response.setHeader('content-type', 'application/json').end(models)
    response.setHeader('content-type', 'text/event-stream').write(chunk('first'))
    finish = () => response.end(`${chunk('last')}${chunk('', 'stop')}data: [DONE]\n\n`)
  })
  onTestFinished(upstream.close)
  const environment = { TRIVIUM_SERVICES: 'gateway', OPENAI_BASE_URL: upstream.url }
  const server = await startServer({ transport, args: ['--workers', '2'], environment })
  onTestFinished(() => server[Symbol.asyncDispose]())
  const { api_key: key } = await issueKey(server, { rate_limit: 1000 })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const left = new AbortController()
  const started = await fetch(`${server.url}/v1/responses`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ model: 'openai/m-1', input: 'x', background: true, stream: true }),
    signal: left.signal,
  })
  const first = await started.body?.pipeThrough(new TextDecoderStream()).getReader().read()
  const id = /"id":"(resp_[^"]+)"/.exec(first?.value ?? '')?.[1]
  left.abort()

  const path = `${server.url}/v1/responses/${id}`
  // Each stream is a connection, which the workers get in turn.
  const streams = await Promise.all(Array.from({ length: 4 }, () => fetch(`${path}?stream=true`, { headers })))
  expect(streams.map(({ status }) => status)).toEqual(Array(4).fill(200))
  finish()
  for (const stream of streams) expect(await stream.text()).toMatch(/response\.created.*last.*response\.completed/s)
  expect(await (await fetch(path, { headers })).json()).toMatchObject({ id, status: 'completed' })
}, 120_000)
