import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expectOk, uploadInRanges } from '@trivium/http-client'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { BOOT_SIGN, bootSector } from '../../../../packages/process-emulators/src/qemu/boot-sector.ts'
import { canMountSmallDisks, mountSmallDisk } from '../../../../packages/sql-repositories/tests/small-disk.ts'
import { emulationOf } from '../console/lab-fixture.ts'
import { requireProgram } from '../require-program.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { createLab, openTerminal } from './lab.ts'

const installed = await requireProgram('qemu-system-x86_64', 'qemu-system-x86 qemu-utils')

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes)

describe.skipIf(!installed).each(['fastify', 'express', 'fetch'] as const)('disk images over %s', (transport) => {
  const work = mkdtempSync(join(tmpdir(), 'trivium-images-'))
  const images = () => join(server.dataDirectory, 'images')
  let server: ServerProcess
  /** A disk of 8 MiB whose boot sector prints a sign on the serial port. */
  let disk: Buffer

  beforeAll(async () => {
    writeFileSync(join(work, 'raw'), Buffer.concat([bootSector(), Buffer.alloc(8 * 2 ** 20 - 512)]))
    execFileSync('qemu-img', ['convert', '-f', 'raw', '-O', 'qcow2', join(work, 'raw'), join(work, 'disk.qcow2')])
    disk = readFileSync(join(work, 'disk.qcow2'))
    server = await startServer({ transport, environment: { TRIVIUM_IMAGE_BYTES: `${64 * 2 ** 20}` } })
  })
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]()
    rmSync(work, { recursive: true, force: true })
  })

  const put = (name: string, body: Uint8Array<ArrayBuffer>, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${server.url}/v1/disk-images/${name}`, {
      method: 'PUT',
      body,
      // As curl does: a server closes the connection of a refused upload, whose body it has not read.
      headers: { authorization: server.admin, connection: 'close', ...headers },
    })
  const state = async (name: string): Promise<unknown> => (await server.ask(`/v1/disk-images/${name}`)).json()
  /** Every file below the directory of images, without what is known of images. */
  const files = () =>
    readdirSync(images(), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('facts'))
      .map(({ name }) => name)
      .sort()

  it('keeps what has arrived when the connection is lost, also over a crash, and completes the image in ranges', async () => {
    const sending = httpRequest(`${server.url}/v1/disk-images/a.qcow2`, {
      method: 'PUT',
      headers: { authorization: server.admin, 'content-length': `${disk.length}` },
    })
    const lost = once(sending, 'error')
    sending.write(disk.subarray(0, 100_000))
    const part = () => statSync(join(images(), '.disk-images', 'uploads', 'a.qcow2.part'), { throwIfNoEntry: false })
    await expect.poll(() => part()?.size, { timeout: 20_000 }).toBe(100_000)
    sending.destroy(new Error('lost'))
    await lost
    await expect
      .poll(() => state('a.qcow2'))
      .toMatchObject({ state: 'uploading', received_bytes: 100_000, total_bytes: disk.length })
    await server.kill()
    server = await server.restart()

    const emulation = emulationOf(server)
    const params = { name: 'a.qcow2' }
    const progress: number[] = []
    const image = await uploadInRanges(new Blob([Uint8Array.from(disk)]), {
      rangeBytes: 65_536,
      sha256: sha256(disk).digest('hex'),
      receivedBytes: async () => {
        const found = await expectOk(emulation.getDiskImage({ params }))
        return found.state === 'uploading' ? found.received_bytes : 0
      },
      send: (range) => expectOk(emulation.putDiskImage({ params, ...range })),
      onProgress: (bytes) => progress.push(bytes),
    })
    expect(progress[0]).toBe(165_536)
    expect(image).toMatchObject({
      state: 'ready',
      format: 'qcow2',
      virtual_bytes: 8 * 2 ** 20,
      sha256: sha256(disk).digest('hex'),
      md5: createHash('md5').update(disk).digest('hex'),
    })
    expect(readFileSync(join(images(), 'a.qcow2')).equals(disk)).toBe(true)
    expect(statSync(join(images(), 'a.qcow2')).mode & 0o777).toBe(0o600)
    expect(statSync(join(images(), '.disk-images')).mode & 0o777).toBe(0o700)
  }, 120_000)

  it('refuses hostile uploads, and leaves nothing', async () => {
    const before = files()
    execFileSync('qemu-img', ['create', '-q', '-f', 'qcow2', '-F', 'raw', '-b', '/etc/passwd', join(work, 'backed')])
    execFileSync('qemu-img', ['create', '-q', '-f', 'qcow2', join(work, 'huge'), '1P'])
    const whole = Uint8Array.from(disk)
    const wrong = { 'repr-digest': `sha-256=:${sha256(Buffer.from('other')).digest('base64')}:` }
    for (const [what, send] of [
      ['a backing file', () => put('evil', readFileSync(join(work, 'backed')))],
      ['a huge disk of zeros', () => put('evil', readFileSync(join(work, 'huge')))],
      ['a wrong checksum', () => put('evil', whole, wrong)],
      ['an image that is cut off', () => put('evil', whole.slice(0, 200_000))],
      ['a body that is cut off', () => put('evil', whole.slice(0, 1000), { 'content-range': 'bytes 0-1999/2000' })],
      ['more than is allowed', () => put('evil', whole.slice(0, 10), { 'content-range': 'bytes 0-9/999999999999' })],
      ['a name that travels', () => put('..%2Fevil', whole)],
      ['a name that travels, encoded again', () => put('%252e%252e%252fevil', whole)],
      ['an absolute name', () => put('%2Ftmp%2Fevil', whole)],
      ['a hidden name', () => put('.disk-images', whole)],
      ['a name with a zero', () => put('evil%00', whole)],
    ] as const) {
      const { status } = await send()
      expect(status, what).toBeGreaterThanOrEqual(400)
      expect(status, what).toBeLessThan(500)
      expect(files(), what).toEqual(before)
    }
  })

  it('boots a machine from an uploaded image, and keeps the image as long as the machine exists', async () => {
    const lab = await createLab(server)
    const machine = await lab.create('emu1', {
      name: 'Booted',
      emu1_path: 'qemu-system-x86_64',
      ram: 64,
      adapters: 0,
      hda_disk_image: 'a.qcow2',
      options: '-nodefaults -accel tcg',
    })
    await lab.start('emu1', machine.vm_id)
    const terminal = await openTerminal(machine.console)
    await terminal.until(new RegExp(BOOT_SIGN), 60_000)
    terminal.close()
    const refused = await server.ask('/v1/disk-images/a.qcow2', { method: 'DELETE' })
    expect(refused.status).toBe(409)
    expect(await refused.json()).toMatchObject({ message: expect.stringContaining("emu1 VM 'Booted'") })
    expect(await state('a.qcow2')).toMatchObject({ used_by: [{ id: machine.vm_id }] })
    await lab.call('DELETE', `${lab.path}/emu1/vms/${machine.vm_id}`)
    expect((await server.ask('/v1/disk-images/a.qcow2', { method: 'DELETE' })).status).toBe(204)
    expect(files()).toEqual([])
  }, 120_000)

  it('accepts no unfinished upload as the image of a machine', async () => {
    const lab = await createLab(server)
    await put('b.img', new Uint8Array(1024), { 'content-range': 'bytes 0-1023/2048' })
    for (const path of ['.disk-images/uploads/b.img.part', join(images(), '.disk-images/uploads/b.img.part')]) {
      const body = { name: 'Bad', emu1_path: 'qemu-system-x86_64', hda_disk_image: path }
      const refused = await server.ask(`${lab.path}/emu1/vms`, { method: 'POST', body })
      expect(refused.status, path).toBe(409)
    }
    expect((await server.ask('/v1/disk-images/b.img', { method: 'DELETE' })).status).toBe(204)
  })
})

describe.runIf(await canMountSmallDisks())('disk images on a disk that becomes full', () => {
  it('refuses an upload that the disk has no space for, before it and during it, and leaves nothing', async () => {
    const disk = await mountSmallDisk(8)
    onTestFinished(() => disk.unmount())
    await using server = await startServer({
      environment: { TRIVIUM_IMAGES_DIR: disk.directory, TRIVIUM_IMAGES_FREE_BYTES: '1024' },
    })
    const uploads = join(disk.directory, '.disk-images', 'uploads')
    const headers = { authorization: server.admin, 'content-length': `${4 * 2 ** 20}` }
    const sending = httpRequest(`${server.url}/v1/disk-images/a.img`, { method: 'PUT', headers })
    const answered = once(sending, 'response')
    sending.write(Buffer.alloc(2 ** 20, 1))
    const part = () => statSync(join(uploads, 'a.img.part'), { throwIfNoEntry: false })
    await expect.poll(() => part()?.size, { timeout: 20_000 }).toBe(2 ** 20)
    disk.fill()
    sending.end(Buffer.alloc(3 * 2 ** 20, 1))
    const [answer] = await answered
    expect(answer.statusCode).toBe(409)
    answer.resume()
    expect(readdirSync(uploads)).toEqual([])

    const tooLarge = await fetch(`${server.url}/v1/disk-images/b.img`, {
      method: 'PUT',
      headers: { authorization: server.admin, 'content-range': `bytes 0-9/${4 * 2 ** 20}` },
      body: new Uint8Array(10),
    })
    expect([tooLarge.status, await tooLarge.json()]).toEqual([
      409,
      { message: 'The disk of the server has too little free space.', status: 409 },
    ])
    expect(readdirSync(uploads)).toEqual([])
    disk.free()
    const fitting = await fetch(`${server.url}/v1/disk-images/b.img`, {
      method: 'PUT',
      headers: { authorization: server.admin },
      body: new Uint8Array(4 * 2 ** 20),
    })
    expect(fitting.status).toBe(201)
  }, 120_000)
})
