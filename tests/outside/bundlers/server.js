import { createServer } from 'node:http'
import { fetchSockets } from '@trivium/fetch-adapter/node'
import { failureOf, startServices } from './services.js'

async function main() {
  const { answer, sockets, absent } = await startServices()
  const server = createServer(async ({ url, headers }, response) => {
    const answered = await answer(new Request(`http://${headers.host}${url}`, { headers }))
    response.writeHead(answered.status).end(await answered.text())
  })
  absent.push(await failureOf(fetchSockets(server, sockets)))
  server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
}

main()
