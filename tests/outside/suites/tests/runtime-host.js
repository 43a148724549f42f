import { createInterface } from 'node:readline'
import { fetchHandler } from '@trivium/fetch-adapter'
import { hostProbe } from '@trivium/http-contract/conformance/host'
import { listen } from './listen.js'

// Hosts in Bun or Deno, for the transport suite in another process. Lines in both directions begin with the number of a host.

const hosts = new Map()

const HOST_ROUTE = /^(?:https?:\/\/[^/]+)?\/host$/

const print = (id, text) => process.stdout.write(`${id} ${text}\n`)

function start(id, prefix) {
  const { routes, receive } = hostProbe((message) => print(id, message))
  const handle = fetchHandler(routes, { prefix })
  const { port, close } = listen(async (request, remoteAddress) => {
    const answer = await handle(request, { remoteAddress })
    return answer ?? (HOST_ROUTE.test(request.url) ? new Response('host') : new Response(null, { status: 404 }))
  })
  hosts.set(id, { receive, close })
  print(id, `listens ${port}`)
}

for await (const line of createInterface({ input: process.stdin })) {
  const [, id, text] = /^(\d+) (.*)$/.exec(line)
  if (text.startsWith('start ')) start(id, text.slice('start '.length))
  else if (text === 'close') {
    hosts.get(id).close()
    hosts.delete(id)
    print(id, 'closed')
  } else hosts.get(id)?.receive(text)
}
process.exit()
