import { asRecord } from '../emulation/lab.ts'
import type { ServerProcess } from '../server-process.ts'

export interface Listed {
  readonly num_records: number
  readonly records: readonly Readonly<Record<string, unknown>>[]
}

/** Creates a client of `/api`. The assertions of the test check the shape of the answers. */
export function storageClient(server: ServerProcess) {
  const call = async (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
    const response = await server.ask(`/api${path}`, { method, ...(body === undefined ? {} : { body }) })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text === '' ? {} : asRecord(JSON.parse(text))
  }
  const list = async (path: string): Promise<Listed> => {
    const { num_records, records } = await call('GET', path)
    return { num_records: Number(num_records), records: Array.isArray(records) ? records : [] }
  }
  return {
    call,
    list,
    one: async (path: string): Promise<Readonly<Record<string, unknown>>> => {
      const { records } = await list(path)
      if (records.length !== 1 || !records[0]) throw new Error(`${records.length} records of ${path}`)
      return records[0]
    },
    async volume(name: string): Promise<string> {
      return String((await this.one(`/storage/volumes?name=${name}`)).uuid)
    },
    setQuota: (volume: string, enabled: boolean) =>
      call('PATCH', `/storage/volumes/${volume}?return_timeout=60`, { quota: { enabled } }),
  }
}
