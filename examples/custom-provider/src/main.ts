import { fastifyRoutes } from '@trivium/fastify-adapter'
import { createGateway } from '@trivium/gateway-core'
import { gatewayRoutes } from '@trivium/gateway-core/http'
import fastify from 'fastify'
import { commandProvider } from './command-provider.ts'
import type { Command } from './run-command.ts'

/** Parses names with their programs and arguments, such as `upper=tr a-z A-Z;sorted=sort`. */
function readModels(text: string): ReadonlyMap<string, Command> {
  return new Map(
    text.split(';').map((entry): [string, Command] => {
      const [name = '', program = '', ...args] = entry.trim().split(/[= ]/)
      return [name, [program, ...args]]
    }),
  )
}

const models = readModels(process.env.MODELS ?? 'upper=tr a-z A-Z;sorted=sort')
const gateway = createGateway({
  providers: [commandProvider({ id: 'commands', models })],
})
const issued = await gateway.apiKeys.generate({ username: 'me' })

const app = fastify()
app.register(fastifyRoutes(gatewayRoutes(gateway)))
app.addHook('onClose', () => gateway.close())
process.once('SIGTERM', () => void app.close())

const url = await app.listen({ port: Number(process.env.PORT ?? 3000), host: '127.0.0.1' })
console.log(`Listening on ${url}`)
if (issued.isOk()) console.log(`A key for ${url}/v1: ${issued.value.secret}`)
