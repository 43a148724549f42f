import { randomBytes } from 'node:crypto'
import { type BeforeApplicationShutdown, Injectable, type OnApplicationShutdown } from '@nestjs/common'
import type { NestExpressApplication } from '@nestjs/platform-express'
import { emulationRoutes, emulationSocketRoutes } from '@trivium/emulation-core/http'
import { expressRoutes, expressSockets } from '@trivium/express-adapter'
import { gatewayRoutes } from '@trivium/gateway-core/http'
import { type AccessRequest, adminCheck } from '@trivium/http-contract'
import { closeServer } from '@trivium/http-contract/node'
import { storageRoutes } from '@trivium/storage-core/http'
import type { Request } from 'express'
import { createServices } from '../create-services.ts'
import { limitedUser } from '../limited-user.ts'

const ofSession = ({ host: { session } }: AccessRequest<Request>) =>
  session.user ? limitedUser(session.user) : 'default'

/** The three services as a provider of the application, which other providers use without HTTP. */
@Injectable()
export class Trivium implements BeforeApplicationShutdown, OnApplicationShutdown {
  readonly services = createServices()
  readonly password = process.env.ADMIN_PASSWORD ?? randomBytes(12).toString('base64url')
  #closeServer = async () => {}

  /** Mounts the services before the parsers of Nest, and outside its global prefix. */
  async mount(app: NestExpressApplication): Promise<void> {
    const { gateway, emulation, storage } = this.services
    const admin = adminCheck(this.password)
    const access = { admin, authorize: { '*': ofSession } }
    const ai = expressRoutes(gatewayRoutes(gateway, access))
    const lab = expressRoutes(emulationRoutes(emulation, access))
    const nas = expressRoutes(storageRoutes(storage, access))
    app.use('/ai', ai).use('/lab', lab).use('/nas', nas)
    const sockets = emulationSocketRoutes(emulation, { admin })
    const server = app.getHttpServer()
    const consoles = await expressSockets(server, sockets, { prefix: '/lab' })
    this.#closeServer = () => closeServer(server, { mounts: [ai, lab, nas, consoles] })
  }

  /** Runs before Nest closes its server, which would wait for all clients. */
  async beforeApplicationShutdown() {
    await this.#closeServer()
  }

  async onApplicationShutdown() {
    await this.services.close()
  }
}
