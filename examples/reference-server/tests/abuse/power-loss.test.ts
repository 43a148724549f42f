import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createLab } from '../emulation/lab.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { canMountUnreliableDisks, mountUnreliableDisk } from '../unreliable-disk.ts'

const hasDisks = await canMountUnreliableDisks()

const text = { prompt: 'A tree', size: '256x256', response_format: 'url' }

interface Issued {
  readonly api_key: string
  readonly key_id: string
}

async function json<Body>(server: ServerProcess, path: string, body?: unknown): Promise<Body> {
  const response = await server.ask(path, body === undefined ? {} : { method: 'POST', body })
  expect([path, response.ok]).toEqual([path, true])
  // The test's own assertions check the parts of the shape that it uses.
  return (await response.json()) as Body
}

const issue = (server: ServerProcess, name: string) =>
  json<Issued>(server, '/v1/auth/generate-key', { username: 'me', name })

const statusWith = async ({ url }: ServerProcess, { api_key: secret }: Issued) =>
  (await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${secret}` } })).status

async function startOnDisk(durability: 'process' | 'power') {
  const disk = await mountUnreliableDisk(96)
  onTestFinished(() => disk.remove())
  const dataDirectory = join(disk.directory, 'data')
  const environment = { TRIVIUM_DURABILITY: durability }
  const server = await startServer({ dataDirectory, environment })
  onTestFinished(() => server[Symbol.asyncDispose]())
  const restart = async () => {
    await disk.losePower()
    await server.kill()
    await disk.powerOn()
    const again = await server.restart()
    onTestFinished(async () => void (await again.stop()))
    expect((await again.ask('/health')).status).toBe(200)
    return again
  }
  return { disk, server, restart }
}

it.runIf(hasDisks)('keeps every answered change over a power failure, where durability is power', async () => {
  const { disk, server, restart } = await startOnDisk('power')
  const revoked = await issue(server, 'revoked')
  await disk.sync()
  const issued = await issue(server, 'issued')
  const lab = await createLab(server)
  const pc = await lab.create('emu3', { name: 'PC1', startup_script: 'ip 10.0.0.1/24' })
  const { data } = await json<{ data: readonly { url: string }[] }>(server, '/v1/images/generations', text)
  expect(await statusWith(server, revoked)).toBe(200)
  expect((await server.ask(`/v1/auth/keys/${revoked.key_id}`, { method: 'DELETE' })).status).toBe(200)
  const again = await restart()
  expect([await statusWith(again, revoked), await statusWith(again, issued)]).toEqual([401, 200])
  expect(await json(again, `${lab.path}/emu3/vms/${pc.vm_id}`)).toMatchObject({ startup_script: 'ip 10.0.0.1/24' })
  const image = await again.ask(new URL(data[0]?.url ?? '').pathname)
  expect(image.status).toBe(200)
  expect(
    Buffer.from(await image.arrayBuffer())
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG')
})

it.runIf(hasDisks)('starts without the last changes after a power failure, where durability is process', async () => {
  const { disk, server, restart } = await startOnDisk('process')
  const revoked = await issue(server, 'revoked')
  await disk.sync()
  expect((await server.ask(`/v1/auth/keys/${revoked.key_id}`, { method: 'DELETE' })).status).toBe(200)
  expect(await statusWith(server, revoked)).toBe(401)
  const again = await restart()
  expect(await statusWith(again, revoked)).toBe(200)
})

it('keeps every answered change when the process is killed, where durability is process', async () => {
  await using server = await startServer()
  const revoked = await issue(server, 'revoked')
  expect((await server.ask(`/v1/auth/keys/${revoked.key_id}`, { method: 'DELETE' })).status).toBe(200)
  await server.kill()
  await using again = await server.restart()
  expect(await statusWith(again, revoked)).toBe(401)
})
