import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, ServerResponse } from 'node:http'
import { emulationRoutes, emulationSocketRoutes } from '@trivium/emulation-core/http'
import { expressRoutes, expressSockets } from '@trivium/express-adapter'
import { gatewayRoutes } from '@trivium/gateway-core/http'
import { type AccessRequest, adminCheck } from '@trivium/http-contract'
import { closeServer } from '@trivium/http-contract/node'
import { storageRoutes } from '@trivium/storage-core/http'
import compression from 'compression'
import express, { type Request } from 'express'
import session from 'express-session'
import helmet from 'helmet'
import { WebSocketServer } from 'ws'
import { createServices } from '../create-services.ts'
import { limitedUser } from '../limited-user.ts'

declare module 'express-session' {
  interface SessionData {
    user: string
  }
}

const { gateway, emulation, storage, close } = createServices()
const password = process.env.ADMIN_PASSWORD ?? randomBytes(12).toString('base64url')
const admin = adminCheck(password)
const ofSession = ({ host: { session } }: AccessRequest<Request>) =>
  session.user ? limitedUser(session.user) : 'default'
const access = { admin, authorize: { '*': ofSession } }

const app = express()
app.use(helmet(), compression())
app.use(express.json({ limit: '40mb' }))
const secret = randomBytes(32).toString('hex')
const sessions = session({ secret, resave: false, saveUninitialized: false, cookie: { sameSite: 'lax' } })
app.use(sessions)

app.get('/own', (request, response) => void response.json({ user: request.session.user ?? null }))
// A real application checks a password here.
app.post('/own/login', (request, response) => {
  request.session.user = String(request.body.user)
  response.sendStatus(204)
})

const ai = expressRoutes(gatewayRoutes(gateway, access))
const lab = expressRoutes(emulationRoutes(emulation, access))
const nas = expressRoutes(storageRoutes(storage, access))
app.use('/ai', ai).use('/lab', lab).use('/nas', nas)
// After the services: `curl -d` sends JSON as a form.
app.use(express.urlencoded({ extended: true }))

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1')
// No middleware has seen the request of an upgrade. Its prototypes become Express' own, as those of each request do.
async function ofUpgrade({ host }: AccessRequest<IncomingMessage>) {
  const request: Request = Object.setPrototypeOf(host, app.request)
  await new Promise((next) => sessions(request, Object.setPrototypeOf(new ServerResponse(host), app.response), next))
  return request.session?.user ? limitedUser(request.session.user) : 'default'
}
const sockets = emulationSocketRoutes(emulation, { admin, authorize: { '*': ofUpgrade } })
const consoles = await expressSockets(server, sockets, { prefix: '/lab' })
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
