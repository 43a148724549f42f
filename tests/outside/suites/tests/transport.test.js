import { once } from 'node:events'
import { expressRoutes, expressSockets } from '@trivium/express-adapter'
import { transportConformance } from '@trivium/http-contract/conformance'
import { closeServer } from '@trivium/http-contract/node'
import express from 'express'

transportConformance({
  name: 'express',
  serve: async ({ prefix, routes, sockets, graceSeconds }) => {
    const application = express()
    const mount = expressRoutes(routes)
    application.use(prefix, mount)
    application.get('/host', (_request, response) => response.send('host'))
    const server = application.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const attached = await expressSockets(server, sockets, { prefix })
    return {
      port: server.address().port,
      close: () => closeServer(server, { mounts: [mount, attached], graceSeconds }),
    }
  },
})
