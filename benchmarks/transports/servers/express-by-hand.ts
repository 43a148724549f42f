import express from 'express'
import { safeParse } from 'valibot'
import { events, pushEvents, readThing, thingBody, thingParams } from '../workload.ts'
import { listen } from './listen.ts'
import { streamHeaders } from './stream-headers.ts'

export function start(): Promise<number> {
  const application = express()
  application.get('/things/:id', (request, response) => {
    const params = safeParse(thingParams, request.params)
    if (params.success) response.json(readThing(params.output.id))
    else response.status(400).json({ status: 400 })
  })
  application.post('/things', express.json(), (request, response) => {
    const body = safeParse(thingBody, request.body)
    if (body.success) response.status(201).json({ id: 'a', ...body.output })
    else response.status(400).json({ status: 400 })
  })
  application.get('/events', async (_request, response) => {
    response.writeHead(200, streamHeaders)
    for await (const event of events()) response.write(`data: ${JSON.stringify(event)}\n\n`)
    response.end()
  })
  application.get('/relayed', (_request, response) => {
    response.writeHead(200, streamHeaders)
    pushEvents(
      (chunk) => response.write(chunk),
      () => response.end(),
    )
  })
  return listen(application)
}
