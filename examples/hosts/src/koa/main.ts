import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import Router from '@koa/router'
import { emulationRoutes, emulationSocketRoutes } from '@trivium/emulation-core/http'
import type { FetchHost } from '@trivium/fetch-adapter'
import { fetchSockets } from '@trivium/fetch-adapter/node'
import { gatewayRoutes } from '@trivium/gateway-core/http'
import { type AccessRequest, adminCheck } from '@trivium/http-contract'
import { closeServer } from '@trivium/http-contract/node'
import { storageRoutes } from '@trivium/storage-core/http'
import Koa, { type Context } from 'koa'
import bodyParser from 'koa-bodyparser'
import compress from 'koa-compress'
import helmet from 'koa-helmet'
import * as v from 'valibot'
import { WebSocketServer } from 'ws'
import { createServices } from '../create-services.ts'
import { limitedUser } from '../limited-user.ts'
import { koaRoutes } from './koa-routes.ts'

const { gateway, emulation, storage, close } = createServices()
const password = process.env.ADMIN_PASSWORD ?? randomBytes(12).toString('base64url')
const admin = adminCheck(password)
const access = { admin, authorize: { '*': ofSession } }

function ofSession({ host: { context } }: AccessRequest<FetchHost<Context>>) {
  const user = context?.cookies.get('user', { signed: true })
  return user ? limitedUser(user) : 'default'
}

const app = new Koa({ keys: [randomBytes(32).toString('hex')] })
app
  .use(helmet())
  .use(compress())
  .use(bodyParser({ jsonLimit: '40mb' }))

const router = new Router({ prefix: '/own' })
router.get('/', (context) => {
  context.body = { user: context.cookies.get('user', { signed: true }) ?? null }
})
// A real application checks a password here.
router.post('/login', (context) => {
  const { user } = v.parse(v.object({ user: v.string() }), context.request.body)
  context.cookies.set('user', user, { signed: true, sameSite: 'lax' })
  context.status = 204
})
app.use(router.routes()).use(router.allowedMethods())

const ai = koaRoutes('/ai', gatewayRoutes(gateway, access))
const lab = koaRoutes('/lab', emulationRoutes(emulation, access))
const nas = koaRoutes('/nas', storageRoutes(storage, access))
app.use(ai).use(lab).use(nas)

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1')
const consoles = await fetchSockets(server, emulationSocketRoutes(emulation, { admin }), { prefix: '/lab' })
const own = new WebSocketServer({ server, path: '/own/socket' })
own.on('connection', (socket) => socket.on('message', (message) => socket.send(`Own: ${message}`)))

process.once('SIGTERM', async () => {
  for (const socket of own.clients) socket.close(1001)
  await closeServer(server, { mounts: [ai, lab, nas, consoles] })
  await close()
})

await once(server, 'listening')
const address = server.address()
console.log(`Listening on http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`)
console.log(`The admin's password: ${password}`)
