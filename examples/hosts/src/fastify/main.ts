import { randomBytes } from 'node:crypto'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import cors from '@fastify/cors'
import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import session from '@fastify/session'
import websocket from '@fastify/websocket'
import { emulationRoutes, emulationSocketRoutes } from '@trivium/emulation-core/http'
import { fastifyRoutes, fastifySockets } from '@trivium/fastify-adapter'
import { gatewayRoutes } from '@trivium/gateway-core/http'
import { type AccessRequest, adminCheck } from '@trivium/http-contract'
import { storageRoutes } from '@trivium/storage-core/http'
import fastify, { type FastifyRequest } from 'fastify'
import { createServices } from '../create-services.ts'
import { limitedUser } from '../limited-user.ts'

declare module 'fastify' {
  interface Session {
    user?: string
  }
}

const { gateway, emulation, storage, close } = createServices()
const password = process.env.ADMIN_PASSWORD ?? randomBytes(12).toString('base64url')
const admin = adminCheck(password)
const ofSession = ({ host: { session } }: AccessRequest<FastifyRequest>) =>
  session.user ? limitedUser(session.user) : 'default'
const access = { admin, authorize: { '*': ofSession } }

const app = fastify()
await app.register(cors, { origin: 'https://app.example', credentials: true })
await app.register(helmet)
await app.register(compress)
await app.register(rateLimit, { max: 1000, timeWindow: '1 minute' })
await app.register(cookie)
await app.register(session, { secret: randomBytes(32).toString('hex'), cookie: { sameSite: 'lax', secure: 'auto' } })
await app.register(websocket)

app.get('/own', async ({ session }) => ({ user: session.user ?? null }))
// A real application checks a password here.
app.post<{ Body: { user: string } }>('/own/login', async ({ session, body }, reply) => {
  session.user = body.user
  return reply.code(204).send()
})
app.get('/own/socket', { websocket: true }, (socket) => {
  socket.on('message', (message) => socket.send(`Own: ${message}`))
})

app.register(fastifyRoutes(gatewayRoutes(gateway, access)), { prefix: '/ai' })
app.register(fastifyRoutes(emulationRoutes(emulation, access)), { prefix: '/lab' })
app.register(fastifySockets(emulationSocketRoutes(emulation, { admin })), { prefix: '/lab' })
app.register(fastifyRoutes(storageRoutes(storage, access)), { prefix: '/nas' })

app.addHook('onClose', close)
process.once('SIGTERM', () => void app.close())

const url = await app.listen({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' })
console.log(`Listening on ${url}`)
console.log(`The admin's password: ${password}`)
