import { once } from 'node:events'
import { expressRoutes } from '@trivium/express-adapter'
import { createGateway } from '@trivium/gateway-core'
import { gatewayRoutes } from '@trivium/gateway-core/http'
import { localProvider } from '@trivium/local-provider'
import { openDatabase } from '@trivium/sql-repositories'
import { migrateGateway, sqlGatewayRepositories } from '@trivium/sql-repositories/gateway'
import express from 'express'

const database = await openDatabase(process.env.DATABASE_URL ?? 'memory:')
await migrateGateway(database)
const gateway = createGateway({ repositories: sqlGatewayRepositories(database), providers: [localProvider()] })
const issued = await gateway.apiKeys.generate({ username: 'me' })

const app = express()
app.get('/', (_request, response) => void response.send('An application of its own, with a gateway under /ai'))
app.use('/ai', expressRoutes(gatewayRoutes(gateway)))

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1')
process.once('SIGTERM', () => {
  server.close(async () => {
    await gateway.close()
    await database.close()
  })
})

await once(server, 'listening')
const address = server.address()
console.log(`Listening on http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`)
if (issued.isOk()) console.log(`A key for /ai/v1: ${issued.value.secret}`)
