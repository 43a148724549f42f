import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expressRoutes } from '@trivium/express-adapter'
import { createGateway } from '@trivium/gateway-core'
import { gatewayRoutes } from '@trivium/gateway-core/http'
import { closeServer } from '@trivium/http-contract/node'
import { localProvider } from '@trivium/local-provider'
import { openDatabase } from '@trivium/sql-repositories'
import { migrateGateway, sqlGatewayRepositories } from '@trivium/sql-repositories/gateway'
import express from 'express'
import { openApplicationDatabase } from './open-application-database.ts'
import { usageTable } from './usage-table.ts'

const directory = resolve(process.env.TRIVIUM_DATA_DIR ?? '.trivium/custom-repository')
mkdirSync(directory, { recursive: true })
const file = join(directory, 'application.sqlite')
const own = openApplicationDatabase(file)
const database = await openDatabase(`sqlite:${file}`)
await migrateGateway(database)
const gateway = createGateway({
  repositories: { ...sqlGatewayRepositories(database), usage: usageTable(own) },
  providers: [localProvider()],
})

const addCustomer = own.prepare('insert into customers (name, key_id) values (?, ?)')
const invoices = own.prepare(`
  select name, count(ai_requests.id) as requests, coalesce(sum(input_tokens + output_tokens), 0) as tokens
  from customers left join ai_requests using (key_id) group by name order by name`)

const app = express()
app.post('/customers/:name', async (request, response) => {
  const { name } = request.params
  const issued = await gateway.apiKeys.generate({ username: name, name: 'customer' })
  if (issued.isErr()) return void response.status(409).json(issued.error)
  addCustomer.run(name, issued.value.key.id)
  response.status(201).json({ name, apiKey: issued.value.secret })
})
app.get('/invoices', (_request, response) => void response.json(invoices.all()))
const mount = expressRoutes(gatewayRoutes(gateway))
app.use('/ai', mount)

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1')
process.once('SIGTERM', async () => {
  await closeServer(server, { mounts: [mount] })
  await gateway.close()
  await database.close()
  own.close()
})

await once(server, 'listening')
const address = server.address()
console.log(`Listening on http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`)
