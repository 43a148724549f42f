import type { ServerProcess } from '../server-process.ts'

/** Sends a request that counts against the limit of the key. @returns its status */
export async function use(server: ServerProcess, key: string): Promise<number> {
  const response = await fetch(`${server.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })
  await response.arrayBuffer()
  return response.status
}

export interface Validation {
  readonly valid: boolean
  readonly remaining?: number
  readonly usage_count?: number
}

export async function validate(server: ServerProcess, key: string): Promise<Validation> {
  const response = await fetch(`${server.url}/v1/auth/validate`, { headers: { authorization: `Bearer ${key}` } })
  return response.json()
}

export interface IssuedKey {
  readonly api_key: string
  readonly key_id: string
  readonly name: string | null
}

export async function issueKey(
  server: ServerProcess,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<IssuedKey> {
  const response = await server.ask('/v1/auth/generate-key', { method: 'POST', body: { username: 'test', ...fields } })
  if (response.status !== 200) throw new Error(`no key: ${response.status} ${await response.text()}`)
  return response.json()
}

/** Runs the work `times` times for each item, all at the same time. */
export async function together<T, R>(items: readonly T[], times: number, work: (item: T) => Promise<R>): Promise<R[]> {
  return Promise.all(items.flatMap((item) => Array.from({ length: times }, () => work(item))))
}
