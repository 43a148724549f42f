import { Socket } from 'node:net'
import type { CredentialSource } from './credentials.ts'

/** What `mysql2` passes to the function that creates the socket of a connection. */
interface NewConnection {
  readonly config: {
    readonly host: string
    readonly port: number
    readonly socketPath?: string
  }
}

/**
 * Returns the option `stream` of `mysql2`: a socket that connects when the credentials are known. The driver reads them
 * from the configuration of the connection after the server's greeting.
 */
export const mysqlLogin =
  (credentials: CredentialSource) =>
  ({ config }: NewConnection): Socket => {
    const socket = new Socket()
    socket.setNoDelay(true)
    socket.setKeepAlive(true)
    credentials().then(
      (login) => {
        Object.assign(config, login)
        if (config.socketPath === undefined) socket.connect(config.port, config.host)
        else socket.connect(config.socketPath)
      },
      (error: Error) => socket.destroy(error),
    )
    return socket
  }
