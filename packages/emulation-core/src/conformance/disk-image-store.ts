import type { Promisable } from 'type-fest'
import { beforeEach, describe, expect, it } from 'vitest'
import { type DiskImageStore, isRefusal } from '../ports.ts'

/** Names that must be refused: each leads out of its directory, is hidden, or means something to a program. */
const hostileNames = [
  '',
  '.',
  '..',
  '../x',
  'a/../../x',
  '/etc/passwd',
  'a\\b',
  'a\0b',
  '.hidden',
  '-option',
  'nbd:host',
  'a,b',
  'NUL',
  'com1.img',
  'end.',
  'end ',
  'x'.repeat(201),
  'ü'.repeat(101),
] as const

const SECTOR = 512

/** A disk without a known format: any content that begins with this is `raw`. */
const content = Uint8Array.from({ length: 8 * SECTOR }, (_, index) => (index * 7) % 251)

/**
 * Registers vitest cases for `DiskImageStore`. They use raw disks only, which every store has.
 *
 * @param open returns an empty store, for each test
 */
export function diskImageStoreConformance(open: () => Promisable<DiskImageStore>): void {
  describe('DiskImageStore', () => {
    let store: DiskImageStore
    beforeEach(async () => {
      store = await open()
    })
    const large = { mostVirtualBytes: 2 ** 40 }

    async function* chunked(bytes: Uint8Array, size = 100) {
      for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size)
    }

    const upload = async (name: string, bytes: Uint8Array = content) => {
      await store.begin(name, bytes.length)
      expect(await store.append(name, { bytes: bytes.length }, chunked(bytes))).toBe('appended')
      return store.complete(name, large)
    }

    it('keeps an upload in parts, and lists it only when it is complete', async () => {
      const [one, other] = [content.slice(0, 1000), content.slice(1000)]
      await store.begin('a.img', content.length)
      expect(await store.append('a.img', { bytes: 1000, sha256: await sha256(one) }, chunked(one))).toBe('appended')
      expect(await store.list()).toEqual([])
      expect(await store.uploads()).toEqual([
        { name: 'a.img', receivedBytes: 1000, totalBytes: content.length, modifiedAt: expect.any(Date) },
      ])
      expect(await store.append('a.img', { bytes: other.length }, chunked(other))).toBe('appended')
      const image = await store.complete('a.img', { ...large, sha256: await sha256(content) })
      expect(image).toMatchObject({
        name: 'a.img',
        bytes: content.length,
        facts: {
          format: 'raw',
          virtualBytes: content.length,
          backingFile: undefined,
          sha256: await sha256(content),
        },
      })
      expect(await store.inspect('a.img')).toEqual(image)
      expect(await store.list()).toEqual([image])
      expect(await store.find('a.img')).toEqual(image)
      expect(await store.uploads()).toEqual([])
    })

    it('keeps what has arrived before the chunks throw', async () => {
      await store.begin('a.img', content.length)
      async function* cut() {
        yield content.slice(0, 300)
        throw new Error('disconnected')
      }
      await expect(store.append('a.img', { bytes: content.length }, cut())).rejects.toThrow('disconnected')
      expect((await store.findUpload('a.img'))?.receivedBytes).toBe(300)
      const rest = content.slice(300)
      expect(await store.append('a.img', { bytes: rest.length }, chunked(rest))).toBe('appended')
      expect(await store.complete('a.img', { ...large, sha256: await sha256(content) })).toMatchObject({
        name: 'a.img',
      })
    })

    it('keeps no byte of a part with a digest whose chunks throw', async () => {
      await store.begin('a.img', content.length)
      async function* cut() {
        yield content.slice(0, 300)
        throw new Error('disconnected')
      }
      const part = { bytes: content.length, sha256: await sha256(content) }
      await expect(store.append('a.img', part, cut())).rejects.toThrow('disconnected')
      expect((await store.findUpload('a.img'))?.receivedBytes).toBe(0)
    })

    it('keeps no byte of a part that is too short, too long, or has another digest', async () => {
      await store.begin('a.img', content.length)
      const [first, part] = [content.slice(0, 500), content.slice(500, 1000)]
      expect(await store.append('a.img', { bytes: 500 }, chunked(first))).toBe('appended')
      expect(await store.append('a.img', { bytes: 501 }, chunked(part))).toBe('length-differs')
      expect(await store.append('a.img', { bytes: 499 }, chunked(part))).toBe('length-differs')
      const wrong = { bytes: 500, sha256: await sha256(first) }
      expect(await store.append('a.img', wrong, chunked(part))).toBe('digest-differs')
      expect((await store.findUpload('a.img'))?.receivedBytes).toBe(500)
      const rest = content.slice(500)
      expect(await store.append('a.img', { bytes: rest.length }, chunked(rest))).toBe('appended')
      expect(await store.complete('a.img', { ...large, sha256: await sha256(content) })).toMatchObject({
        name: 'a.img',
      })
    })

    it('removes an upload whose digest differs, or whose disk is too large', async () => {
      for (const [expected, reason] of [
        [{ ...large, sha256: await sha256(content.slice(1)) }, 'digest'],
        [{ mostVirtualBytes: content.length - 1 }, 'size'],
      ] as const) {
        await store.begin('a.img', content.length)
        await store.append('a.img', { bytes: content.length }, chunked(content))
        const completed = store.complete('a.img', expected)
        if (reason === 'digest') expect(await completed).toBe('digest-differs')
        else await expect(completed).rejects.toMatchObject({ reason: 'unusable-image' })
        expect(await store.uploads()).toEqual([])
        expect(await store.list()).toEqual([])
      }
    })

    it('starts again where an upload of the same name begins', async () => {
      await store.begin('a.img', 1000)
      await store.append('a.img', { bytes: 500 }, chunked(content.slice(0, 500)))
      await store.begin('a.img', content.length)
      expect(await store.findUpload('a.img')).toMatchObject({ receivedBytes: 0, totalBytes: content.length })
    })

    it('discards an upload, and removes an image', async () => {
      expect(await store.discard('a.img')).toBe(false)
      expect(await store.remove('a.img')).toBe(false)
      await store.begin('a.img', 1000)
      expect(await store.discard('a.img')).toBe(true)
      expect(await store.findUpload('a.img')).toBeUndefined()
      await upload('a.img')
      expect(await store.remove('a.img')).toBe(true)
      expect(await store.find('a.img')).toBeUndefined()
      expect(await store.inspect('a.img')).toBeUndefined()
    })

    it('creates and resizes a raw disk', async () => {
      expect(await store.create('a.img', 'raw', 4 * SECTOR)).toMatchObject({
        name: 'a.img',
        bytes: 4 * SECTOR,
        facts: { format: 'raw', virtualBytes: 4 * SECTOR },
      })
      const grown = await store.resize('a.img', 8 * SECTOR, { shrink: false })
      expect(grown).toMatchObject({ bytes: 8 * SECTOR, facts: { virtualBytes: 8 * SECTOR } })
      await expect(store.resize('a.img', 2 * SECTOR, { shrink: false })).rejects.toSatisfy(isRefusal)
      const shrunk = await store.resize('a.img', 2 * SECTOR, { shrink: true })
      expect(shrunk).toMatchObject({ bytes: 2 * SECTOR, facts: { virtualBytes: 2 * SECTOR } })
      expect(await store.inspect('a.img')).toEqual(shrunk)
    })

    it('refuses a new disk under the name of an image, and keeps the image', async () => {
      const image = await upload('a.img')
      await expect(store.create('a.img', 'raw', SECTOR)).rejects.toSatisfy(isRefusal)
      expect(await store.inspect('a.img')).toEqual(image)
    })

    it.each(hostileNames)('refuses the name %j', async (name) => {
      for (const call of [
        () => store.find(name),
        () => store.findUpload(name),
        () => store.begin(name, 1000),
        () => store.append(name, { bytes: 1 }, chunked(content)),
        () => store.complete(name, large),
        () => store.discard(name),
        () => store.inspect(name),
        () => store.create(name, 'raw', SECTOR),
        () => store.resize(name, SECTOR, { shrink: true }),
        () => store.remove(name),
      ])
        await expect(call()).rejects.toMatchObject({ name: 'Refusal', reason: 'not-allowed' })
      expect(await store.uploads()).toEqual([])
      expect(await store.list()).toEqual([])
    })

    it('finds the name of an image by its relative path, and by no text that is not its path', () => {
      expect(store.nameOf('a.img')).toBe('a.img')
      for (const path of ['', 'deep/a.img', '/', '/etc/passwd', '../a.img']) expect(store.nameOf(path)).toBeUndefined()
    })
  })
}

async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', Uint8Array.from(bytes)))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
