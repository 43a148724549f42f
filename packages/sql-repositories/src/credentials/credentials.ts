/** What a new connection to a database server logs in with. */
export interface Credentials {
  /** @default the user of the address */
  readonly user?: string
  readonly password: string
}

/** Returns what the next connection logs in with. */
export type CredentialSource = () => Promise<Credentials>

export interface CredentialOptions {
  /**
   * Returns the password of each new connection, such as a token that is valid for minutes. It replaces the
   * password of the address. Must answer within `connectTimeoutMs`; a connection that is open stays open.
   *
   * @default the password of the address
   */
  readonly password?: () => string | Promise<string>
  /**
   * Returns the user and the password of each new connection. It replaces `password`, with the same time limit.
   *
   * @default those of the address
   */
  readonly credentials?: () => Credentials | Promise<Credentials>
}

/** @returns the source of credentials, or `undefined` where the address has them. It rejects after `timeoutMs` */
export function credentialSource(
  { password, credentials }: CredentialOptions,
  timeoutMs: number,
): CredentialSource | undefined {
  if (credentials !== undefined) return () => inTime(async () => credentials(), timeoutMs)
  if (password !== undefined) return () => inTime(async () => ({ password: await password() }), timeoutMs)
  return undefined
}

function inTime<T>(ask: () => Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`The credentials of the database were not returned within ${timeoutMs} ms.`))
    const timer = setTimeout(late, timeoutMs)
    ask()
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })
}
