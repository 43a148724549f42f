import { expressRoutes } from '@trivium/express-adapter'
import { createGateway } from '@trivium/gateway-core'
import { gatewayRoutes } from '@trivium/gateway-core/http'
import { memoryGatewayRepositories } from '@trivium/gateway-core/memory'
import { openRedis, redisGatewayRepositories } from '@trivium/redis-repositories/gateway'
import express from 'express'

/** A host that admits requests while its Redis is unavailable. */
const redis = await openRedis(process.argv[2] ?? '')
const gateway = createGateway({
  repositories: { ...memoryGatewayRepositories(), ...redisGatewayRepositories(redis) },
  providers: [],
  onStoreFailure: 'admit',
})
const key = await gateway.apiKeys.generate({ username: 'me', rateLimit: 3 })
if (key.isErr()) throw new Error(key.error.type)

const server = express()
  .use(expressRoutes(gatewayRoutes(gateway)))
  .listen(0, '127.0.0.1', () => {
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : undefined
    process.send?.({ url: `http://127.0.0.1:${port}`, key: key.value.secret })
  })

process.on('disconnect', async () => {
  server.close()
  await gateway.close()
  await redis.close()
})
