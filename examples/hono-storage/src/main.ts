import { randomBytes } from 'node:crypto'
import { serve } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import { fetchHandler } from '@trivium/fetch-adapter'
import { adminCheck } from '@trivium/http-contract'
import { closeServer } from '@trivium/http-contract/node'
import { simulatedVolume } from '@trivium/simulated-volumes'
import { createStorage } from '@trivium/storage-core'
import { storageRoutes } from '@trivium/storage-core/http'
import { Hono } from 'hono'
import { uploads } from './uploads.ts'

const volume = simulatedVolume({ users: { ada: 1001, grace: 1002 } })
const storage = createStorage({
  database: process.env.DATABASE_URL ?? 'memory:',
  volumes: [{ name: 'homes', backend: volume }],
})
await storage.start()
storage.events.on('quota.hard-limit-exceeded', ({ name }, { limit, allowed }) => {
  console.log(`A write to ${name} was refused: ${limit} is ${allowed}`)
})

const password = process.env.ADMIN_PASSWORD ?? randomBytes(12).toString('base64url')
const handle = fetchHandler(storageRoutes(storage, { admin: adminCheck(password) }))

const app = new Hono()
app.get('/', (context) => context.text('Uploads of its own under /uploads, and their quotas under /api'))
app.route('/uploads', uploads(volume.files))
app.all('/api/*', async (context) => {
  const { address } = getConnInfo(context).remote
  return (await handle(context.req.raw, { remoteAddress: address })) ?? context.notFound()
})

const server = serve(
  { fetch: app.fetch, port: Number(process.env.PORT ?? 3000), hostname: '127.0.0.1' },
  ({ port }) => {
    console.log(`Listening on http://127.0.0.1:${port}`)
    console.log(`The admin's password for /api: ${password}`)
  },
)

process.once('SIGTERM', async () => {
  await closeServer(server, { mounts: [handle] })
  await storage.close()
})
