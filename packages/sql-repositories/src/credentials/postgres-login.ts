import type { Client, ClientConfig } from 'pg'
import type { CredentialSource } from './credentials.ts'

/**
 * Returns a client of `pg` that asks for its credentials when it connects, and bounds the attempt: the time limit of a
 * pool includes the wait for a free connection and may be longer.
 */
export function postgresLogin(
  NewClient: typeof Client,
  credentials: CredentialSource | undefined,
  timeoutMs: number,
): typeof Client {
  return class extends NewClient {
    constructor(options?: string | ClientConfig) {
      super({
        ...(typeof options === 'string' ? { connectionString: options } : options),
        connectionTimeoutMillis: timeoutMs,
      })
    }

    override connect(): Promise<Client>
    override connect(callback: (error: Error) => void): void
    override connect(callback?: (error: Error) => void): unknown {
      if (credentials === undefined) return callback === undefined ? super.connect() : super.connect(callback)
      const connecting = credentials().then((login) => {
        Object.assign(this, login)
        // The login message has the user of these.
        const parameters: unknown = Reflect.get(this, 'connectionParameters')
        if (typeof parameters === 'object' && parameters !== null) Object.assign(parameters, login)
        return super.connect()
      })
      if (callback === undefined) return connecting
      // A connection without an error is reported by a call without arguments.
      connecting.then(() => Reflect.apply(callback, undefined, []), callback)
    }
  }
}
