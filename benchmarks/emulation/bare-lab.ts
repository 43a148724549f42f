import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'undici'
import { startMeasured } from '../measured-process.ts'
import { create, type Lab } from './lab.ts'

/** Starts a server that only stores documents, with so many of them. */
export async function openBareLab(instances: number): Promise<Lab> {
  const directory = mkdtempSync(join(tmpdir(), 'trivium-bench-'))
  const server = await startMeasured({
    module: join(import.meta.dirname, 'servers/bare-instances-process.ts'),
    args: [join(directory, 'bare.sqlite')],
  })
  const client = new Client(server.url)
  const lab: Lab = {
    vms: '/vms',
    canStart: false,
    account: server.account,
    async ask(method, path, body) {
      const response = await client.request({
        method,
        path,
        ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      })
      return response.body.text()
    },
    async stop() {
      await client.destroy()
      await server.stop()
      rmSync(directory, { recursive: true })
    },
  }
  for (let index = 0; index < instances; index += 1) await create(lab, `PC${index}`)
  return lab
}
