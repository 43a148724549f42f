import { randomBytes } from 'node:crypto'
import { serve, upgradeWebSocket } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import { emulationRoutes, emulationSocketRoutes } from '@trivium/emulation-core/http'
import { type FetchHost, fetchHandler } from '@trivium/fetch-adapter'
import { fetchSockets } from '@trivium/fetch-adapter/node'
import { gatewayRoutes } from '@trivium/gateway-core/http'
import { type AccessRequest, adminCheck } from '@trivium/http-contract'
import { closeServer } from '@trivium/http-contract/node'
import { storageRoutes } from '@trivium/storage-core/http'
import { type Context, Hono } from 'hono'
import { compress } from 'hono/compress'
import { getSignedCookie, setSignedCookie } from 'hono/cookie'
import { cors } from 'hono/cors'
import { secureHeaders } from 'hono/secure-headers'
import { WebSocketServer } from 'ws'
import { createServices } from '../create-services.ts'
import { limitedUser } from '../limited-user.ts'

interface Environment {
  Variables: { user: string | undefined }
}

const { gateway, emulation, storage, close } = createServices()
const password = process.env.ADMIN_PASSWORD ?? randomBytes(12).toString('base64url')
const admin = adminCheck(password)
const access = { admin, authorize: { '*': ofSession } }

function ofSession({ host: { context } }: AccessRequest<FetchHost<Context<Environment>>>) {
  const user = context?.get('user')
  return user ? limitedUser(user) : 'default'
}

const app = new Hono<Environment>()
app.use(compress(), cors({ origin: 'https://app.example', credentials: true }), secureHeaders())
const secret = randomBytes(32).toString('hex')
app.use(async (context, next) => {
  context.set('user', (await getSignedCookie(context, secret, 'user')) || undefined)
  await next()
})

app.get('/own', (context) => context.json({ user: context.get('user') ?? null }))
// A real application checks a password here.
app.post('/own/login', async (context) => {
  const { user } = await context.req.json<{ user: string }>()
  await setSignedCookie(context, 'user', user, secret, { httpOnly: true, sameSite: 'Lax' })
  return context.body(null, 204)
})
app.get(
  '/own/socket',
  upgradeWebSocket(() => ({ onMessage: ({ data }, socket) => socket.send(`Own: ${data}`) })),
)

const ai = fetchHandler<Context<Environment>>(gatewayRoutes(gateway, access), { prefix: '/ai' })
const lab = fetchHandler<Context<Environment>>(emulationRoutes(emulation, access), { prefix: '/lab' })
const nas = fetchHandler<Context<Environment>>(storageRoutes(storage, access), { prefix: '/nas' })
const serveWith = (handle: typeof ai) => async (context: Context<Environment>) => {
  const { address: remoteAddress } = getConnInfo(context).remote
  return (await handle(context.req.raw, { remoteAddress, context })) ?? context.notFound()
}
app.all('/ai/*', serveWith(ai)).all('/lab/*', serveWith(lab)).all('/nas/*', serveWith(nas))

const own = new WebSocketServer({ noServer: true })
const server = serve(
  { fetch: app.fetch, port: Number(process.env.PORT ?? 3000), hostname: '127.0.0.1', websocket: { server: own } },
  ({ port }) => {
    console.log(`Listening on http://127.0.0.1:${port}`)
    console.log(`The admin's password: ${password}`)
  },
)
const consoles = await fetchSockets(server, emulationSocketRoutes(emulation, { admin }), { prefix: '/lab' })

process.once('SIGTERM', async () => {
  for (const socket of own.clients) socket.close(1001)
  await closeServer(server, { mounts: [ai, lab, nas, consoles] })
  await close()
})
