import type { IncomingMessage, ServerResponse } from 'node:http'
import { safeParse } from 'valibot'
import { events, pushEvents, readThing, thingBody, thingParams } from '../workload.ts'
import { listen } from './listen.ts'
import { streamHeaders } from './stream-headers.ts'

export const start = (): Promise<number> => listen((request, response) => void answer(request, response))

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = request.url ?? '/'
  if (url === '/events') {
    response.writeHead(200, streamHeaders)
    for await (const event of events()) response.write(`data: ${JSON.stringify(event)}\n\n`)
    response.end()
  } else if (url === '/relayed') {
    response.writeHead(200, streamHeaders)
    pushEvents(
      (chunk) => response.write(chunk),
      () => response.end(),
    )
  } else if (request.method === 'POST') {
    const body = safeParse(thingBody, JSON.parse(await read(request)))
    if (body.success) send(response, 201, { id: 'a', ...body.output })
    else send(response, 400, { status: 400 })
  } else {
    const params = safeParse(thingParams, { id: decodeURIComponent(url.slice('/things/'.length)) })
    if (params.success) send(response, 200, readThing(params.output.id))
    else send(response, 400, { status: 400 })
  }
}

function send(response: ServerResponse, status: number, value: unknown): void {
  const text = JSON.stringify(value)
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  response.end(text)
}

const read = (request: IncomingMessage): Promise<string> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => resolve(Buffer.concat(chunks).toString()))
    request.on('error', reject)
  })
