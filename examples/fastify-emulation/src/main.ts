import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { embeddedLab, openDirectoryProjectFiles } from '@trivium/embedded-emulators'
import { createEmulation } from '@trivium/emulation-core'
import { emulationRoutes, emulationSocketRoutes } from '@trivium/emulation-core/http'
import { fastifyRoutes, fastifySockets } from '@trivium/fastify-adapter'
import { adminCheck } from '@trivium/http-contract'
import fastify from 'fastify'
import { prepareExercise } from './prepare-exercise.ts'

const directory = resolve(process.env.TRIVIUM_DATA_DIR ?? '.trivium/fastify-emulation')
mkdirSync(directory, { recursive: true })
const emulation = createEmulation({
  ...embeddedLab(),
  database: process.env.DATABASE_URL ?? `sqlite:${join(directory, 'lab.sqlite')}`,
  files: await openDirectoryProjectFiles({ location: join(directory, 'projects') }),
})
emulation.events.on('instance.started', ({ name }) => console.log(`${name} is running`))

const app = fastify()
app.get('/', async () => 'A course of its own, with a network lab under /lab')
app.post('/exercises', async (_request, reply) => {
  const prepared = await prepareExercise(emulation)
  return prepared.isOk() ? reply.code(201).send(prepared.value) : reply.code(503).send(prepared.error)
})

const password = process.env.ADMIN_PASSWORD ?? randomBytes(12).toString('base64url')
const access = { admin: adminCheck(password) }
app.register(fastifyRoutes(emulationRoutes(emulation, access)), { prefix: '/lab' })
app.register(fastifySockets(emulationSocketRoutes(emulation, access)), { prefix: '/lab' })

app.addHook('onClose', () => emulation.close())
process.once('SIGTERM', () => void app.close())

const url = await app.listen({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' })
console.log(`Listening on ${url}`)
console.log(`The admin's password for ${url}/lab/v1: ${password}`)
