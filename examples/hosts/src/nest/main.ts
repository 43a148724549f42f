import 'reflect-metadata'
import { randomBytes } from 'node:crypto'
import { StandardSchemaValidationPipe } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import type { NestExpressApplication } from '@nestjs/platform-express'
import { WsAdapter } from '@nestjs/platform-ws'
import compression from 'compression'
import session from 'express-session'
import helmet from 'helmet'
import { AppModule } from './app.module.ts'
import { Trivium } from './trivium.ts'

const app = await NestFactory.create<NestExpressApplication>(AppModule, { logger: ['error', 'warn'] })
app.setGlobalPrefix('own')
app.useGlobalPipes(new StandardSchemaValidationPipe())
app.useWebSocketAdapter(new WsAdapter(app))
app.enableShutdownHooks([], { useProcessExit: true })

app.use(helmet(), compression())
const secret = randomBytes(32).toString('hex')
app.use(session({ secret, resave: false, saveUninitialized: false, cookie: { sameSite: 'lax' } }))
const trivium = app.get(Trivium)
await trivium.mount(app)

await app.listen(process.env.PORT ?? 3000, '127.0.0.1')
console.log(`Listening on ${await app.getUrl()}`)
console.log(`The admin's password: ${trivium.password}`)
