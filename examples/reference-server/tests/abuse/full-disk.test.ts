import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  canMountSmallDisks,
  mountSmallDisk,
  type SmallDisk,
} from '../../../../packages/sql-repositories/tests/small-disk.ts'
import { createLab, openTerminal, vmPlug } from '../emulation/lab.ts'
import { type AdminRequest, type ServerProcess, startServer } from '../server-process.ts'

const GATEWAY = { error: { type: 'server_error', param: null, code: 'store_unavailable' } }
const EMULATION = { message: 'The store is unavailable.', status: 503 }
const STORAGE = { error: { message: 'The store is unavailable.', code: '65562' } }

const IMAGE_REQUEST = { method: 'POST', body: { prompt: 'A tree', size: '256x256', response_format: 'url' } }
const RULE = {
  method: 'POST',
  body: {
    svm: { name: 'svm1' },
    volume: { name: 'vol1' },
    type: 'tree',
    qtree: { name: '' },
    space: { hard_limit: '1G' },
  },
}
const keyOf = (name: string): AdminRequest => ({ method: 'POST', body: { username: 'me', name } })
const pcOf = (name: string): AdminRequest => ({ method: 'POST', body: { name, startup_script: 'ip 10.0.0.9/24' } })

async function ask(server: ServerProcess, path: string, request?: AdminRequest) {
  const response = await server.ask(path, request)
  const text = await response.text()
  const body: unknown = text === '' ? undefined : JSON.parse(text)
  return { status: response.status, body }
}

async function smallDisk(megabytes: number): Promise<SmallDisk> {
  const disk = await mountSmallDisk(megabytes)
  onTestFinished(() => disk.unmount())
  return disk
}

const health = async (server: ServerProcess) => (await server.ask('/health')).status

describe.runIf(await canMountSmallDisks())('the server on a failing disk', () => {
  it('answers 503 in the shape of each service while the disk is full, stores no partial change, and continues once there is space', async () => {
    const { directory: dataDirectory, fill, free } = await smallDisk(12)
    await using server = await startServer({ dataDirectory })
    const lab = await createLab(server)
    const pc = await lab.create('emu3', { name: 'PC1', startup_script: 'ip 10.0.0.1/24' })
    const instance = `${lab.path}/emu3/vms/${pc.vm_id}`
    const instances = join(dataDirectory, 'projects', lab.projectId, 'project-files/virtual-pc')
    const generateImage = async () => ask(server, '/v1/images/generations', IMAGE_REQUEST)
    expect((await generateImage()).status).toBe(200)
    const made = readdirSync(join(dataDirectory, 'pictures'))
    expect(await health(server)).toBe(200)

    fill()
    await vi.waitFor(async () => expect(await health(server)).toBe(503), { timeout: 20_000 })
    for (const request of [
      ask(server, '/v1/auth/generate-key', keyOf('full')),
      generateImage(),
      ask(server, '/v1/auth/generate-key', keyOf('full too')),
    ])
      expect(await request).toMatchObject({ status: 503, body: GATEWAY })
    for (const request of [
      ask(server, '/v1/projects', { method: 'POST', body: {} }),
      ask(server, `${lab.path}/emu3/vms`, pcOf('PC2')),
      ask(server, instance, { method: 'PUT', body: { startup_script: 'ip 10.0.0.2/24' } }),
      ask(server, `${instance}/adapters/0/ports/0/start_capture`, {
        method: 'POST',
        body: { capture_file_name: 'full.pcap' },
      }),
    ])
      expect(await request).toEqual({ status: 503, body: EMULATION })
    expect(await ask(server, '/api/storage/quota/rules', RULE)).toEqual({ status: 503, body: STORAGE })
    expect((await ask(server, `${instance}/start`, { method: 'POST' })).status).toBe(204)

    expect(server.output()).toContain('database or disk is full')
    expect(server.output()).toContain('ENOSPC')
    expect(server.output()).not.toContain('no transaction is active')

    free()
    expect((await ask(server, '/v1/auth/generate-key', keyOf('free'))).status).toBe(200)
    await vi.waitFor(async () => expect(await health(server)).toBe(200), { timeout: 20_000 })
    expect(await ask(server, '/v1/auth/keys')).toMatchObject({ body: { data: [{ name: 'free' }] } })
    expect(readdirSync(join(dataDirectory, 'pictures'))).toEqual(made)
    expect(await ask(server, `${lab.path}/emu3/vms`)).toMatchObject({ body: [{ name: 'PC1' }] })
    expect(await ask(server, instance)).toMatchObject({ body: { startup_script: 'ip 10.0.0.1/24' } })
    expect(await ask(server, `${lab.path}/captures`)).toEqual({ status: 200, body: [] })
    expect((await generateImage()).status).toBe(200)
    expect((await ask(server, '/api/storage/quota/rules', RULE)).status).toBe(201)
    await lab.create('emu3', { name: 'PC2', startup_script: 'ip 10.0.0.2/24' })
    expect(readdirSync(instances)).toHaveLength(2)
    expect(await server.stop()).toBe(0)
  })

  it('keeps only whole records in a capture when the disk becomes full, and starts a new capture at the same NIC later', async () => {
    const { directory, fill, free } = await smallDisk(4)
    await using server = await startServer({ environment: { TRIVIUM_PROJECTS_DIR: directory } })
    const lab = await createLab(server)
    const [one, other] = [
      await lab.create('emu3', { name: 'PC1', startup_script: 'set pcname %h\nip 10.0.0.1/24' }),
      await lab.create('emu3', { name: 'PC2', startup_script: 'ip 10.0.0.2/24' }),
    ]
    await lab.cable(vmPlug('emu3', one.vm_id), vmPlug('emu3', other.vm_id))
    for (const { vm_id: id } of [one, other]) await lab.start('emu3', id)
    const port = `${lab.path}/emu3/vms/${one.vm_id}/adapters/0/ports/0`
    const start = () => lab.call('POST', `${port}/start_capture`, { capture_file_name: 'a.pcap' })
    const terminal = await openTerminal(one.console)
    const ping = () => terminal.run('ping 10.0.0.2 -c 5 -i 10 -l 1400', /icmp_seq=5[^\n]*\n/)
    const records = async () => recordsOf(await (await server.ask(`${lab.path}/captures/a.pcap`)).arrayBuffer())

    await start()
    await ping()
    fill()
    await ping()
    expect(await ask(server, `${port}/stop_capture`, { method: 'POST' })).toEqual({ status: 503, body: EMULATION })
    expect(server.output()).toContain('ENOSPC')
    expect((await ask(server, `${port}/stop_capture`, { method: 'POST' })).status).toBe(409)
    expect(await records()).toBeGreaterThan(0)
    free()
    await start()
    await ping()
    expect((await ask(server, `${port}/stop_capture`, { method: 'POST' })).status).toBe(204)
    expect(await records()).toBeGreaterThanOrEqual(10)
    terminal.close()
  })

  it('answers 503 in the shape of each service while the disk is read-only, and continues once it is writable', async () => {
    const [data, projects] = [await smallDisk(12), await smallDisk(4)]
    const imageDirectory = join(data.directory, 'pictures')
    mkdirSync(imageDirectory)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m,mode=700', 'tmpfs', imageDirectory])
    onTestFinished(() => void execFileSync('umount', [imageDirectory]))
    const environment = { TRIVIUM_PROJECTS_DIR: projects.directory }
    await using server = await startServer({ dataDirectory: data.directory, environment })
    const lab = await createLab(server)
    const remount = (mode: 'ro' | 'rw') => {
      for (const directory of [imageDirectory, projects.directory])
        execFileSync('mount', ['-o', `remount,${mode}`, directory])
    }
    remount('ro')
    expect(await ask(server, '/v1/images/generations', IMAGE_REQUEST)).toMatchObject({ status: 503, body: GATEWAY })
    expect(await ask(server, '/v1/projects', { method: 'POST', body: {} })).toEqual({ status: 503, body: EMULATION })
    expect(await ask(server, `${lab.path}/emu3/vms`, pcOf('PC1'))).toEqual({ status: 503, body: EMULATION })
    expect(server.output()).toContain('EROFS')
    const failing = { pictures: 'unhealthy', projects: 'unhealthy' }
    await vi.waitFor(
      async () =>
        expect(await ask(server, '/health')).toMatchObject({
          status: 200,
          body: { status: 'degraded', components: { store: 'healthy', checks: failing } },
        }),
      { timeout: 10_000 },
    )
    remount('rw')
    expect((await ask(server, '/v1/images/generations', IMAGE_REQUEST)).status).toBe(200)
    await lab.create('emu3', { name: 'PC1', startup_script: 'ip 10.0.0.1/24' })
    expect((await ask(server, '/v1/projects')).body).toHaveLength(1)
  })
})

/** Counts the records of a capture. @throws where a record is incomplete */
function recordsOf(file: ArrayBuffer): number {
  const bytes = Buffer.from(file)
  let count = 0
  let at = 24
  while (at < bytes.length) {
    at += 16 + bytes.readUInt32LE(at + 8)
    count += 1
  }
  expect(at).toBe(bytes.length)
  return count
}
