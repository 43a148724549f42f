import fastify from 'fastify'
import { listen } from '../../gateway/servers/listen.ts'
import { upstreamSender } from './send-upstream.ts'

const { BENCHMARK_UPSTREAM: upstream = '' } = process.env
const send = upstreamSender(upstream)

/** The minimal relay as a route of Fastify. With `headers` its answers have as many headers as those of the gateway. */
const host = fastify()
const headers =
  process.argv[2] === 'headers'
    ? Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`x-${index}`, 'value']))
    : {}
host.removeAllContentTypeParsers()
host.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
host.post('/v1/chat/completions', async (request, reply) => {
  const body = request.body as Buffer // what the parser returns
  JSON.parse(body.toString())
  const { status, type, bytes } = await send(body)
  return reply.code(status).headers(headers).type(type).send(bytes)
})
await host.ready()
await listen(host.server)
