import { once } from 'node:events'
import { expressRoutes } from '@trivium/express-adapter'
import { createGateway } from '@trivium/gateway-core'
import { gatewayRoutes } from '@trivium/gateway-core/http'
import { closeServer } from '@trivium/http-contract/node'
import { localProvider } from '@trivium/local-provider'
import express from 'express'

const database = process.env.DATABASE_URL ?? 'memory:'
const gateway = createGateway({ providers: [localProvider()], database })
const issued = await gateway.apiKeys.generate({ username: 'me' })

const app = express()
app.get('/', (_request, response) => void response.send('An application of its own, with a gateway under /ai'))
const mount = expressRoutes(gatewayRoutes(gateway))
app.use('/ai', mount)

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1')
process.once('SIGTERM', async () => {
  await closeServer(server, { mounts: [mount] })
  await gateway.close()
})

await once(server, 'listening')
const address = server.address()
console.log(`Listening on http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`)
if (issued.isOk()) console.log(`A key for /ai/v1: ${issued.value.secret}`)
