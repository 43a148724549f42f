import fastify from 'fastify'
import { safeParse } from 'valibot'
import { events, pushEvents, readThing, thingBody, thingParams } from '../workload.ts'
import { streamHeaders } from './stream-headers.ts'

export async function start(): Promise<number> {
  const server = fastify()
  server.get('/things/:id', async (request, reply) => {
    const params = safeParse(thingParams, request.params)
    return params.success ? readThing(params.output.id) : reply.code(400).send({ status: 400 })
  })
  server.post('/things', async (request, reply) => {
    const body = safeParse(thingBody, request.body)
    if (!body.success) return reply.code(400).send({ status: 400 })
    return reply.code(201).send({ id: 'a', ...body.output })
  })
  server.get('/events', async (_request, reply) => {
    reply.hijack()
    reply.raw.writeHead(200, streamHeaders)
    for await (const event of events()) reply.raw.write(`data: ${JSON.stringify(event)}\n\n`)
    reply.raw.end()
  })
  server.get('/relayed', async (_request, reply) => {
    reply.hijack()
    reply.raw.writeHead(200, streamHeaders)
    pushEvents(
      (chunk) => reply.raw.write(chunk),
      () => reply.raw.end(),
    )
  })
  return Number(new URL(await server.listen({ port: 0, host: '127.0.0.1' })).port)
}
