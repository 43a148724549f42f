import { describe, expect, it } from 'vitest'
import { createHttpLab, type HttpLab } from '../../../tests/http-lab.ts'
import type { EmulationOptions } from '../../index.ts'
import { memoryDiskImages } from '../../memory/index.ts'

const content = Uint8Array.from({ length: 4096 }, (_, index) => (index * 7) % 251)

const base64 = async (bytes: Uint8Array<ArrayBuffer>) =>
  btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))))
const hex = async (bytes: Uint8Array<ArrayBuffer>) =>
  Array.from(atob(await base64(bytes)), (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('')

function createImageLab(limits: EmulationOptions['limits'] = {}) {
  const clock = { time: new Date('2026-01-01T00:00:00Z') }
  const now = () => clock.time
  const lab = createHttpLab({}, { diskImages: memoryDiskImages({ now }), limits, now })
  return { ...lab, clock, put: putIn(lab) }
}

const putIn =
  ({ request }: HttpLab) =>
  async (name: string, bytes: Uint8Array<ArrayBuffer>, headers: Readonly<Record<string, string>> = {}) => {
    const length = { 'content-length': `${bytes.length}` }
    const response = await request('PUT', `/v1/disk-images/${name}`, {
      body: bytes,
      headers: { ...length, ...headers },
    })
    return { status: response.status, body: await response.json() }
  }

const range = (first: number, last: number, total = content.length) => ({
  'content-range': `bytes ${first}-${last}/${total}`,
})

describe('disk images over HTTP', () => {
  it('takes a whole file with its digest, lists it, reads it and deletes it', async () => {
    const { put, call } = createImageLab()
    const image = {
      state: 'ready',
      name: 'a.img',
      bytes: 4096,
      modified_at: '2026-01-01T00:00:00.000Z',
      format: 'raw',
      virtual_bytes: 4096,
      allocated_bytes: 4096,
      backing_file: null,
      sha256: await hex(content),
      md5: null,
      used_by: [],
    }
    const digest = { 'repr-digest': `md5=:abc=:, sha-256=:${await base64(content)}:` }
    expect(await put('a.img', content, digest)).toEqual({ status: 201, body: image })
    expect(await call('GET', '/v1/disk-images')).toMatchObject({ status: 200, body: [image] })
    expect(await call('GET', '/disk-images/a.img')).toMatchObject({ status: 200, body: image })
    expect((await call('DELETE', '/v1/disk-images/a.img')).status).toBe(204)
    expect((await call('GET', '/v1/disk-images')).body).toEqual([])
    expect((await call('GET', '/v1/disk-images/a.img')).status).toBe(404)
  })

  it('takes a file in ranges, and reports how far it has come', async () => {
    const { put, call } = createImageLab()
    const [one, other] = [content.slice(0, 1000), content.slice(1000)]
    const state = {
      state: 'uploading',
      name: 'a.img',
      received_bytes: 1000,
      total_bytes: 4096,
      modified_at: '2026-01-01T00:00:00.000Z',
      expires_at: '2026-01-02T00:00:00.000Z',
    }
    const digest = { 'content-digest': `sha-256=:${await base64(one)}:` }
    expect(await put('a.img', one, { ...range(0, 999), ...digest })).toEqual({ status: 202, body: state })
    expect((await call('GET', '/v1/disk-images/a.img')).body).toEqual(state)
    expect((await call('GET', '/v1/disk-images')).body).toEqual([state])
    const asked = await put('a.img', new Uint8Array(), { 'content-range': 'bytes */4096' })
    expect(asked).toEqual({ status: 202, body: state })
    expect(await put('a.img', other, range(1000, 4095))).toMatchObject({
      status: 201,
      body: { state: 'ready', sha256: await hex(content) },
    })
  })

  it('refuses ranges that overlap, leave a gap, are too long or of another file', async () => {
    const { put, call } = createImageLab()
    expect(await put('a.img', content.slice(1000, 2000), range(1000, 1999))).toMatchObject({ status: 409 })
    await put('a.img', content.slice(0, 1000), range(0, 999))
    for (const headers of [range(0, 999), range(500, 1499), range(1001, 2000), range(1000, 1999, 5000)]) {
      expect(await put('a.img', content.slice(0, 1000), headers), JSON.stringify(headers)).toEqual({
        status: 409,
        body: {
          message: "The upload of disk image 'a.img' has 1000 of 4096 bytes. Continue there, or delete it.",
          status: 409,
        },
      })
    }
    expect(await call('GET', '/v1/disk-images/a.img')).toMatchObject({ body: { received_bytes: 1000 } })
  })

  it.each([
    'bytes 0-4096/4096',
    'bytes 5-4/4096',
    'bytes 0-4095/*',
    'bytes 0-4095',
    'items 0-1/2',
    'bytes */0',
    'bytes 0-99999999999999999/999999999999999999',
    'bytes=0-1/2',
  ])('refuses the range %j', async (value) => {
    const { put } = createImageLab()
    expect(await put('a.img', content, { 'content-range': value })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining("'content-range'") },
    })
  })

  it.each(['', 'sha-256=abc', 'md5=:abc=:', 'sha-256=:AAAA:'])('refuses the digest %j', async (value) => {
    const { put, call } = createImageLab()
    expect((await put('a.img', content, { 'repr-digest': value })).status).toBe(400)
    expect((await call('GET', '/v1/disk-images')).body).toEqual([])
  })

  it('refuses bodies that are cut off or too long, and leaves nothing', async () => {
    const { put, call } = createImageLab()
    expect(await put('a.img', content.slice(1), { 'content-length': '4096' })).toMatchObject({ status: 400 })
    expect(await put('a.img', content, { 'content-length': '4095' })).toMatchObject({ status: 400 })
    expect(await put('a.img', content.slice(1), range(0, 4095))).toMatchObject({ status: 400 })
    expect((await call('GET', '/v1/disk-images')).body).toEqual([])
  })

  it('refuses files whose digest differs, and leaves nothing', async () => {
    const { put, call } = createImageLab()
    const wrong = `sha-256=:${await base64(content.slice(1))}:`
    expect(await put('a.img', content, { 'repr-digest': wrong })).toMatchObject({ status: 400 })
    expect(await put('a.img', content.slice(0, 100), { ...range(0, 99), 'content-digest': wrong })).toMatchObject({
      status: 400,
    })
    expect((await call('GET', '/v1/disk-images')).body).toEqual([])
  })

  it.each([
    '..%2Fx',
    '%2e%2e%2fetc%2fpasswd',
    '.hidden',
    '-rf',
    'a%00b',
    'a%5Cb',
    'NUL',
    'com1.img',
    'x'.repeat(201),
  ])('refuses the name %s', async (name) => {
    const { put, call } = createImageLab()
    expect((await put(name, content)).status).toBe(400)
    for (const method of ['GET', 'DELETE'])
      expect((await call(method, `/v1/disk-images/${name}`)).status, method).toBe(400)
    expect((await call('GET', '/v1/disk-images')).body).toEqual([])
  })

  it('never replaces an image, by an upload or a new disk', async () => {
    const { put, call } = createImageLab()
    await put('a.img', content)
    expect(await put('a.img', content.slice(1))).toMatchObject({ status: 409 })
    expect(await put('a.img', content.slice(0, 10), range(0, 9, 20))).toMatchObject({ status: 409 })
    expect((await call('POST', '/v1/disk-images', { name: 'a.img', format: 'raw', size_mb: 1 })).status).toBe(409)
    await put('b.img', content.slice(0, 10), range(0, 9, 20))
    expect((await call('POST', '/v1/disk-images', { name: 'b.img', format: 'raw', size_mb: 1 })).status).toBe(409)
    expect(await call('GET', '/v1/disk-images/a.img')).toMatchObject({ body: { bytes: 4096 } })
  })

  it('refuses a second upload of a name while the first runs', async () => {
    const { put, request, call } = createImageLab()
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    const streamed: RequestInit & { readonly duplex: 'half' } = {
      body: readable,
      headers: range(0, 4095),
      duplex: 'half',
    }
    const first = request('PUT', '/v1/disk-images/a.img', streamed)
    // The first chunk is taken once the upload has begun.
    await writer.write(content.slice(0, 1000))
    expect(await put('a.img', content)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('being changed by another request') },
    })
    expect((await call('DELETE', '/v1/disk-images/a.img')).status).toBe(409)
    await writer.write(content.slice(1000))
    await writer.close()
    expect((await first).status).toBe(201)
  })

  it.each(['a.img', '/images/a.img'])('keeps images that instances need, running or not: %s', async (path) => {
    const { put, call } = createImageLab()
    await put('a.img', content)
    const project = (await call('POST', '/v1/projects', {})).body as { readonly project_id: string }
    const vms = `/v1/projects/${project.project_id}/emu1/vms`
    const created = await call('POST', vms, { name: 'R1', emu1_path: 'qemu', hda_disk_image: path })
    const { vm_id: id } = created.body as { readonly vm_id: string }
    const users = [{ project_id: project.project_id, kind: 'emu1', id, name: 'R1' }]
    expect(await call('GET', '/v1/disk-images/a.img')).toMatchObject({ body: { used_by: users } })
    expect(await call('GET', '/v1/disk-images')).toMatchObject({ body: [{ used_by: users }] })
    for (const [method, suffix, body] of [
      ['DELETE', '', undefined],
      ['POST', '/resize', { size_mb: 1 }],
    ] as const) {
      expect(await call(method, `/v1/disk-images/a.img${suffix}`, body)).toMatchObject({
        status: 409,
        body: {
          message: `Disk image 'a.img' is used by emu1 VM 'R1' (${id}). Delete them first, or give them another image.`,
        },
      })
    }
    expect((await call('DELETE', `${vms}/${id}`)).status).toBe(204)
    expect((await call('DELETE', '/v1/disk-images/a.img')).status).toBe(204)
  })

  it('creates and resizes disks', async () => {
    const { call } = createImageLab()
    const created = await call('POST', '/v1/disk-images', { name: 'a.img', format: 'raw', size_mb: 2 })
    expect(created).toMatchObject({ status: 201, body: { format: 'raw', virtual_bytes: 2 ** 21 } })
    const resize = (body: unknown) => call('POST', '/v1/disk-images/a.img/resize', body)
    expect(await resize({ size_mb: 4 })).toMatchObject({ status: 200, body: { virtual_bytes: 2 ** 22 } })
    expect(await resize({ size_mb: 1 })).toMatchObject({ status: 409, body: { message: /'shrink'/ } })
    expect(await resize({ size_mb: 1, shrink: true })).toMatchObject({ status: 200, body: { virtual_bytes: 2 ** 20 } })
    for (const body of [{ size_mb: 0 }, { size_mb: 1.5 }, {}, { size_mb: 1, other: 1 }])
      expect((await resize(body)).status, JSON.stringify(body)).toBe(400)
    for (const body of [{ name: 'b', size_mb: 1, format: 'qed' }, { name: '../b', size_mb: 1 }, { name: 'b' }])
      expect((await call('POST', '/v1/disk-images', body)).status, JSON.stringify(body)).toBe(400)
  })

  it.each([
    [{ diskImageBytes: 4095 }, 'bytes of a disk image'],
    [{ diskImagesBytes: 4095 }, 'bytes of disk images'],
    [{ diskImages: 0 }, 'disk images'],
    [{ diskImageUploads: 0 }, 'uploads at the same time'],
  ])('refuses an upload beyond the limits %j', async (limits, what) => {
    const { put, call } = createImageLab(limits)
    for (const headers of [{}, range(0, 4095)]) {
      const refused = await put('a.img', content, headers)
      expect(refused).toMatchObject({ status: 409, body: { message: expect.stringMatching(`more than \\d+ ${what}`) } })
    }
    expect((await call('GET', '/v1/disk-images')).body).toEqual([])
  })

  it('counts unfinished uploads with the bytes that they become', async () => {
    const { put } = createImageLab({ diskImagesBytes: 8191 })
    expect(await put('a.img', content.slice(0, 10), range(0, 9))).toMatchObject({ status: 202 })
    expect(await put('b.img', content)).toMatchObject({ status: 409 })
    expect(await put('a.img', content.slice(10), range(10, 4095))).toMatchObject({ status: 201 })
  })

  it('refuses disks that are larger than allowed', async () => {
    const { call, put } = createImageLab({ diskImageVirtualBytes: 2 ** 20 })
    for (const format of ['raw', 'qcow2'])
      expect(await call('POST', '/v1/disk-images', { name: 'a', format, size_mb: 2 })).toMatchObject({
        status: 409,
        body: { message: /bytes of a disk/ },
      })
    await call('POST', '/v1/disk-images', { name: 'a', format: 'raw', size_mb: 1 })
    expect((await call('POST', '/v1/disk-images/a/resize', { size_mb: 2 })).status).toBe(409)
    expect(await put('b.img', new Uint8Array(2 ** 20 + 1))).toMatchObject({ status: 409 })
  })

  it('removes unfinished uploads that have expired, and not those that continue', async () => {
    const { put, call, clock } = createImageLab()
    const wait = (hours: number) => {
      clock.time = new Date(clock.time.getTime() + hours * 3_600_000)
    }
    await put('a.img', content.slice(0, 10), range(0, 9))
    await put('b.img', content.slice(0, 10), range(0, 9))
    wait(23)
    await put('b.img', content.slice(10, 20), range(10, 19))
    wait(2)
    expect((await call('GET', '/v1/disk-images')).body).toMatchObject([{ name: 'b.img', received_bytes: 20 }])
    expect((await put('a.img', content.slice(10), range(10, 4095))).status).toBe(409)
  })

  it('returns 409 where the host keeps no images', async () => {
    const { call } = createHttpLab()
    expect(await call('GET', '/v1/disk-images')).toMatchObject({
      status: 409,
      body: { message: 'This server keeps no disk images.' },
    })
  })

  it('refuses users of the host without a scope', async () => {
    const refused = createHttpLab({ authorize: { '*': () => ({ type: 'user', id: 'ada', labs: 'all' }) } })
    expect((await refused.call('GET', '/v1/disk-images')).status).toBe(403)
    expect((await putIn(refused)('a.img', content)).status).toBe(403)
  })
})
