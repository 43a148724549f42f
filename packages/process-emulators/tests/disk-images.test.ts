import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { link, lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { diskImageStoreConformance } from '@trivium/emulation-core/conformance'
import { isRefusal } from '@trivium/emulation-core/ports'
import { expect, it } from 'vitest'
import { directoryDiskImages } from '../src/disk-images/index.ts'
import { describeWith } from './require-programs.ts'
import { scratchDirectory } from './scratch-directory.ts'

const large = { mostVirtualBytes: 2 ** 40 }

async function* chunked(bytes: Uint8Array, size = 65_536) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function openStore() {
  const root = await scratchDirectory()
  const directory = join(root, 'images')
  const store = directoryDiskImages({ directory })
  const upload = async (name: string, bytes: Uint8Array, expected = large) => {
    await store.begin(name, bytes.length)
    expect(await store.append(name, { bytes: bytes.length }, chunked(bytes))).toBe('appended')
    return store.complete(name, expected)
  }
  /** Makes an image with `qemu-img` outside of the directory, and returns its bytes. */
  const make = async (...parameters: readonly string[]) => {
    const path = join(root, 'made')
    execFileSync('/usr/bin/qemu-img', ['create', '-q', ...parameters.map((word) => (word === 'FILE' ? path : word))])
    return readFile(path)
  }
  const leftovers = async () => {
    const all = await readdir(directory, { recursive: true })
    return all.filter((file) => !/^\.disk-images(\/(facts|uploads|unfinished))?$/.test(file))
  }
  return { root, directory, store, upload, make, leftovers }
}

describeWith(['qemu-img', 'prlimit'], 'disk images in a directory', () => {
  diskImageStoreConformance(async () => (await openStore()).store)

  it.each([
    'qcow2',
    'vdi',
    'vhdx',
    'vmdk',
    'vpc',
    'raw',
  ] as const)('accepts an uploaded %s, and creates one', async (format) => {
    const { store, upload, make, directory } = await openStore()
    const bytes = await make('-f', format, 'FILE', '8M')
    const image = await upload('disk.img', bytes)
    expect(image).toMatchObject({
      name: 'disk.img',
      bytes: bytes.length,
      facts: {
        format,
        backingFile: undefined,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        md5: createHash('md5').update(bytes).digest('hex'),
      },
    })
    expect((await store.create('new.img', format, 8 * 2 ** 20)).facts).toMatchObject({
      format,
      virtualBytes: 8 * 2 ** 20,
      sha256: undefined,
    })
    for (const name of ['disk.img', 'new.img']) expect((await lstat(join(directory, name))).mode & 0o777).toBe(0o600)
  })

  it('accepts VMDK files as vendors compress them', async () => {
    const { upload, make } = await openStore()
    const bytes = await make('-f', 'vmdk', '-o', 'subformat=streamOptimized', 'FILE', '8M')
    expect(await upload('disk.vmdk', bytes)).toMatchObject({ facts: { format: 'vmdk', virtualBytes: 8 * 2 ** 20 } })
  })

  it('grows and shrinks a qcow2, and refuses to resize a VMDK', async () => {
    const { store } = await openStore()
    await store.create('a.qcow2', 'qcow2', 2 ** 20)
    expect((await store.resize('a.qcow2', 2 ** 22, { shrink: false })).facts.virtualBytes).toBe(2 ** 22)
    expect((await store.resize('a.qcow2', 2 ** 21, { shrink: true })).facts.virtualBytes).toBe(2 ** 21)
    await store.create('a.vmdk', 'vmdk', 2 ** 20)
    await expect(store.resize('a.vmdk', 2 ** 22, { shrink: false })).rejects.toMatchObject({ reason: 'unsupported' })
    expect((await store.inspect('a.vmdk'))?.facts.virtualBytes).toBe(2 ** 20)
  })

  it('continues an upload after the server has ended, and checks the whole', async () => {
    const { directory, store, make } = await openStore()
    const bytes = await make('-f', 'qcow2', 'FILE', '8M')
    const half = Math.floor(bytes.length / 2)
    await store.begin('a.qcow2', bytes.length)
    await store.append('a.qcow2', { bytes: half }, chunked(bytes.subarray(0, half)))
    const again = directoryDiskImages({ directory })
    expect(await again.findUpload('a.qcow2')).toMatchObject({ receivedBytes: half, totalBytes: bytes.length })
    await again.append('a.qcow2', { bytes: bytes.length - half }, chunked(bytes.subarray(half)))
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    expect(await again.complete('a.qcow2', { ...large, sha256 })).toMatchObject({ facts: { sha256 } })
  })

  it('removes what a crash has left and no upload needs', async () => {
    const { directory, store, leftovers } = await openStore()
    await store.begin('kept.img', 1000)
    const uploads = join(directory, '.disk-images', 'uploads')
    await writeFile(join(uploads, 'lost.img.part'), 'x')
    await writeFile(join(uploads, 'lost.json'), '{}')
    await writeFile(join(directory, '.disk-images', 'unfinished', 'half.qcow2'), 'x')
    expect(await directoryDiskImages({ directory }).uploads()).toMatchObject([{ name: 'kept.img' }])
    expect(await leftovers()).toEqual([expect.stringContaining('kept.img'), expect.stringContaining('kept.img')])
  })

  it('lists files of the operator, and computes their facts once', async () => {
    const { directory, store, make } = await openStore()
    expect(await store.list()).toEqual([])
    await writeFile(join(directory, 'base.qcow2'), await make('-f', 'qcow2', 'FILE', '1M'))
    execFileSync('/usr/bin/qemu-img', [
      'create',
      '-q',
      '-f',
      'qcow2',
      '-F',
      'qcow2',
      '-b',
      'base.qcow2',
      join(directory, 'top.qcow2'),
    ])
    await mkdir(join(directory, 'deep'))
    await writeFile(join(directory, '.hidden'), 'x')
    await symlink('/etc/passwd', join(directory, 'link'))
    expect((await store.list()).map(({ name, facts }) => [name, facts]).sort()).toEqual([
      ['base.qcow2', undefined],
      ['top.qcow2', undefined],
    ])
    const top = await store.inspect('top.qcow2')
    expect(top?.facts).toMatchObject({ format: 'qcow2', backingFile: join(directory, 'base.qcow2') })
    expect(await store.find('top.qcow2')).toEqual(top)
    await writeFile(join(directory, 'base.qcow2'), 'a raw disk now')
    expect((await store.find('base.qcow2'))?.facts).toBeUndefined()
    expect(await store.inspect('link')).toBeUndefined()
  })

  it('refuses links in place of its files and directories', async () => {
    const { root, directory, store } = await openStore()
    await store.begin('a.img', 4)
    const secret = join(root, 'secret')
    await writeFile(secret, 'secret')
    const part = join(directory, '.disk-images', 'uploads', 'b.img.part')
    await symlink(secret, part)
    await expect(store.append('b.img', { bytes: 4 }, chunked(Buffer.from('evil')))).rejects.toSatisfy(isRefusal)
    await writeFile(join(directory, 'linked.img'), 'x'.repeat(1024))
    await link(join(directory, 'linked.img'), join(root, 'other'))
    await expect(store.resize('linked.img', 4096, { shrink: false })).rejects.toSatisfy(isRefusal)
    expect(await readFile(secret, 'utf8')).toBe('secret')
    const elsewhere = join(root, 'elsewhere')
    await mkdir(elsewhere)
    const swapped = join(root, 'swapped')
    await mkdir(swapped)
    await symlink(elsewhere, join(swapped, '.disk-images'))
    await expect(directoryDiskImages({ directory: swapped }).begin('a.img', 4)).rejects.toSatisfy(isRefusal)
    expect(await readdir(elsewhere)).toEqual([])
  })

  /** Changes bytes of an image. */
  const patched = (bytes: Buffer, at: number, value: bigint | number | string): Buffer => {
    const copy = Buffer.from(bytes)
    if (typeof value === 'bigint') copy.writeBigUInt64BE(value, at)
    else if (typeof value === 'number') copy.writeUInt32BE(value, at)
    else copy.write(value, at, 'latin1')
    return copy
  }

  it('refuses hostile images, and leaves nothing', async () => {
    const { root, store, upload, make, leftovers } = await openStore()
    const disk = await make('-f', 'qcow2', 'FILE', '8M')
    const [v2, vmdk, vdi] = [
      await make('-f', 'qcow2', '-o', 'compat=0.10', 'FILE', '8M'),
      await make('-f', 'vmdk', 'FILE', '8M'),
      await make('-f', 'vdi', 'FILE', '8M'),
    ]
    const vpc = await make('-f', 'vpc', 'FILE', '8M')
    const hostile = {
      'a backing file': await make('-f', 'qcow2', '-F', 'raw', '-b', '/etc/passwd', 'FILE', '1M'),
      'a backing file that does not exist': await make('-f', 'qcow2', '-u', '-F', 'raw', '-b', 'json:{}', 'FILE', '1M'),
      'an external data file': await make(
        '-f',
        'qcow2',
        '-o',
        `data_file=${join(root, 'data')},data_file_raw=on`,
        'FILE',
        '1M',
      ),
      'a name of a backing file without its place': patched(disk, 16, 11),
      'a list of VMDK extents': await make('-f', 'vmdk', '-o', 'subformat=monolithicFlat', 'FILE', '1M'),
      'a VMDK descriptor after comments': Buffer.from('\n  # comment\n\nversion=1\nRW 8 FLAT "/etc/passwd" 0\n'),
      'a VMDK descriptor after many lines': Buffer.from(`${'#\r\n'.repeat(600)}version=1\n`),
      'a VMDK with a parent that its header does not name': patched(
        Buffer.from(vmdk.toString('latin1').replace('parentCID=ffffffff', 'parentCID=12345678'), 'latin1'),
        28,
        0n,
      ),
      'a VMDK without a capacity': patched(vmdk, 12, 0n),
      'a VMDK with a parent': Buffer.from(
        vmdk.toString('latin1').replace('parentCID=ffffffff', 'parentCID=12345678'),
        'latin1',
      ),
      'a VDI with a parent': patched(vdi, 0x4c, 0x04000000),
      'a VHD with a parent': patched(vpc, 60, 4),
      'an old qcow': await make('-f', 'qcow', 'FILE', '1M'),
      'a QED': await make('-f', 'qed', 'FILE', '1M'),
      'a LUKS container': Buffer.concat([Buffer.from('LUKS\xba\xbe', 'latin1'), Buffer.alloc(4096)]),
      'a header that is cut off': disk.subarray(0, 60),
      'an image that is cut off': (await make('-f', 'qcow2', '-o', 'preallocation=full', 'FILE', '8M')).subarray(
        0,
        400_000,
      ),
      'a huge disk': await make('-f', 'qcow2', 'FILE', '2T'),
      'a size beyond all bounds': patched(disk, 24, 2n ** 62n),
      'an L1 table of 4 billion entries': patched(disk, 36, 0xffff_ffff),
      'an L1 table of 32 MiB in a small file': patched(patched(disk, 36, 4_194_304), 24, 2n ** 39n),
      'four billion snapshots': patched(v2, 60, 0xffff_ffff),
      'clusters that are too small': patched(disk, 20, 1),
      'unknown features': patched(disk, 72, 0x100n),
      encryption: patched(disk, 32, 1),
    }
    for (const [what, bytes] of Object.entries(hostile)) {
      await expect(upload('evil.qcow2', bytes), what).rejects.toSatisfy(
        (error) => isRefusal(error) && ['not-allowed', 'unusable-image'].includes(error.reason),
        what,
      )
      expect(await leftovers(), what).toEqual([])
      expect(await store.findUpload('evil.qcow2'), what).toBeUndefined()
    }
  })
})

it('accepts a raw file that begins with many lines of comments', async () => {
  const { upload } = await openStore()
  expect(await upload('comments.img', Buffer.from('#\r\n'.repeat(682)))).toMatchObject({ facts: { format: 'raw' } })
})

it('accepts raw files without any program', async () => {
  const directory = join(await scratchDirectory(), 'images')
  const store = directoryDiskImages({ directory, programDirectories: [] })
  const bytes = Buffer.from('#cloud-config\n')
  await store.begin('user-data', bytes.length)
  await store.append('user-data', { bytes: bytes.length }, chunked(bytes))
  expect(await store.complete('user-data', large)).toMatchObject({ facts: { format: 'raw', virtualBytes: 14 } })
  await expect(store.create('a.qcow2', 'qcow2', 2 ** 20)).rejects.toMatchObject({ debianPackage: 'qemu-utils' })
})

it('keeps space free', async () => {
  const directory = join(await scratchDirectory(), 'images')
  expect(await directoryDiskImages({ directory, keepFreeBytes: 2 ** 60 }).freeBytes()).toBe(0)
  expect(await directoryDiskImages({ directory, keepFreeBytes: 0 }).freeBytes()).toBeGreaterThan(0)
})

it('finds the names of images by their paths, also of a directory that a link leads to', async () => {
  const root = await scratchDirectory()
  await mkdir(join(root, 'real'))
  await symlink(join(root, 'real'), join(root, 'images'))
  const store = directoryDiskImages({ directory: join(root, 'images') })
  await store.list()
  for (const path of ['images/a.img', 'real/a.img']) expect(store.nameOf(join(root, path))).toBe('a.img')
  for (const path of ['images/deep/a.img', 'a.img', 'images/.disk-images'])
    expect(store.nameOf(join(root, path))).toBeUndefined()
})
