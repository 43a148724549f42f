import { execFileSync } from 'node:child_process'
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeWith } from '../../tests/require-programs.ts'
import { scratchDirectory } from '../../tests/scratch-directory.ts'
import { plainEnvironment } from '../processes/process-environment.ts'
import { checkDiskImage, describeDiskImage, readDiskImage } from './disk-image.ts'
import { prepareDisks } from './instance-disks.ts'

const tool = { program: '/usr/bin/qemu-img', environment: plainEnvironment() }
const make = (...parameters: readonly string[]) => execFileSync(tool.program, ['create', '-q', ...parameters])

async function directories() {
  const root = await scratchDirectory()
  const at = (name: string) => join(root, name)
  for (const name of ['images', 'outside', 'instance']) await mkdir(at(name))
  const secret = at('outside/secret')
  await writeFile(secret, 'x'.repeat(4096))
  return { at, secret, images: { directories: [at('images')], files: [] } }
}

it('describeDiskImage reads the output of newer and older versions, and refuses the rest', () => {
  const describe = (information: unknown) => describeDiskImage('/i/a', JSON.stringify(information))
  expect(describe({ format: 'raw' })).toEqual({ format: 'raw', backingFile: undefined, parts: [] })
  expect(describe({ format: 'qcow2', 'backing-filename': 'b', children: [{ info: { filename: '/i/a' } }] })).toEqual({
    format: 'qcow2',
    backingFile: '/i/b',
    parts: [],
  })
  for (const information of [
    [],
    {},
    { format: 'luks' },
    { format: 'qcow2', 'backing-filename': 'nbd:host:1' },
    { format: 'qcow2', 'backing-filename': 'json:{}' },
    { format: 'qcow2', 'backing-filename': 7 },
    { format: 'qcow2', 'backing-filename': 'b', 'backing-filename-format': 'vvfat' },
    { format: 'vmdk', 'format-specific': { data: { extents: [7] } } },
    {
      format: 'vmdk',
      'format-specific': { data: { extents: Array.from({ length: 300 }, () => ({ filename: '/x' })) } },
    },
  ]) {
    expect(() => describe(information), JSON.stringify(information)).toThrow(
      expect.objectContaining({ name: 'Refusal' }),
    )
  }
  expect(() => describeDiskImage('/i/a', 'no json')).toThrow('format')
})

const ideDisks = (...paths: readonly string[]) => paths.map((image) => ({ image, interface: 'ide' as const }))

describeWith(['qemu-img'], 'the check of disk images', () => {
  it('detects the format, and follows bases inside the directories', async () => {
    const { at, images } = await directories()
    make('-f', 'qcow2', at('images/base.qcow2'), '10M')
    make('-f', 'qcow2', '-F', 'qcow2', '-b', 'base.qcow2', at('images/top.qcow2'))
    make('-f', 'vmdk', at('images/disk.vmdk'), '10M')
    make('-f', 'vmdk', '-o', 'subformat=twoGbMaxExtentSparse', at('images/parts.vmdk'), '10M')
    await writeFile(at('images/raw.img'), Buffer.alloc(4096))
    for (const [name, format] of [
      ['top.qcow2', 'qcow2'],
      ['disk.vmdk', 'vmdk'],
      ['parts.vmdk', 'vmdk'],
      ['raw.img', 'raw'],
    ] as const) {
      expect((await checkDiskImage(at(`images/${name}`), tool, images)).format).toBe(format)
    }
    expect((await readDiskImage(at('images/top.qcow2'), tool)).backingFile).toBe(at('images/base.qcow2'))
  })

  it('refuses images that refer to files of the host', async () => {
    const { at, secret, images } = await directories()
    make('-f', 'qcow2', '-F', 'raw', '-b', secret, at('images/absolute.qcow2'))
    make('-f', 'qcow2', '-F', 'raw', '-b', '../outside/secret', at('images/relative.qcow2'))
    make('-f', 'qcow2', '-u', '-F', 'raw', '-b', 'nbd:127.0.0.1:1', at('images/socket.qcow2'), '1M')
    make(
      '-f',
      'qcow2',
      '-u',
      '-F',
      'raw',
      '-b',
      `json:{"driver":"file","filename":"${secret}"}`,
      at('images/json.qcow2'),
      '1M',
    )
    make('-f', 'qcow2', '-F', 'qcow2', '-b', 'absolute.qcow2', at('images/deep.qcow2'))
    make('-f', 'qcow2', '-o', `data_file=${at('outside/data')},data_file_raw=on`, at('images/data.qcow2'), '1M')
    await symlink(secret, at('images/link'))
    make('-f', 'qcow2', '-F', 'raw', '-b', 'link', at('images/linked.qcow2'))
    for (const name of ['absolute', 'relative', 'socket', 'json', 'deep', 'data', 'linked']) {
      const checked = checkDiskImage(at(`images/${name}.qcow2`), tool, images)
      await expect(checked, name).rejects.toMatchObject({ reason: 'not-allowed' })
    }
  })

  it('refuses images whose bases are a loop or do not exist', async () => {
    const { at, images } = await directories()
    make('-f', 'qcow2', '-u', '-F', 'qcow2', '-b', 'b.qcow2', at('images/a.qcow2'), '1M')
    make('-f', 'qcow2', '-u', '-F', 'qcow2', '-b', 'a.qcow2', at('images/b.qcow2'), '1M')
    make('-f', 'qcow2', '-u', '-F', 'qcow2', '-b', 'gone.qcow2', at('images/c.qcow2'), '1M')
    for (const name of ['a', 'c']) {
      const checked = checkDiskImage(at(`images/${name}.qcow2`), tool, images)
      await expect(checked, name).rejects.toMatchObject({ reason: 'unusable-image' })
    }
  })

  it('creates overlays with the format of their base, and keeps them', async () => {
    const { at, images } = await directories()
    make('-f', 'vmdk', at('images/first.vmdk'), '10M')
    await writeFile(at('images/second.img'), Buffer.alloc(65_536))
    const prepare = (...paths: readonly string[]) =>
      prepareDisks({ directory: at('instance'), wanted: ideDisks(...paths), images, tool })

    const disks = await prepare('first.vmdk', at('images/second.img'))
    expect(disks).toEqual([
      { path: at('instance/hda_disk.qcow2'), format: 'qcow2', index: 0, interface: 'ide' },
      { path: at('instance/hdb_disk.qcow2'), format: 'qcow2', index: 1, interface: 'ide' },
    ])
    const information = execFileSync(tool.program, ['info', '--output=json', at('instance/hda_disk.qcow2')], {
      encoding: 'utf8',
    })
    expect(JSON.parse(information)).toMatchObject({
      'backing-filename': at('images/first.vmdk'),
      'backing-filename-format': 'vmdk',
    })

    execFileSync('/usr/bin/qemu-io', ['-c', 'write -P 7 0 4096', at('instance/hda_disk.qcow2')])
    await prepare('first.vmdk')
    execFileSync('/usr/bin/qemu-io', ['-c', 'read -P 7 0 4096', at('instance/hda_disk.qcow2')])

    await prepare('second.img')
    expect((await readDiskImage(at('instance/hda_disk.qcow2'), tool)).backingFile).toBe(at('images/second.img'))
    expect(await readdir(at('instance'))).toContain('hda_disk.previous.qcow2')
  })

  it('creates an empty disk for a machine without an image', async () => {
    const { at, images } = await directories()
    const options = { directory: at('instance'), wanted: ideDisks('', '', ''), images, tool }
    const disks = [{ path: at('instance/flash.qcow2'), format: 'qcow2', index: 0, interface: 'ide' }]
    expect(await prepareDisks(options)).toEqual(disks)
    expect(await prepareDisks(options)).toEqual(disks)
    expect(await readDiskImage(at('instance/flash.qcow2'), tool)).toMatchObject({ format: 'qcow2' })
  })

  it('refuses an overlay that is based on a file of the host', async () => {
    const { at, secret, images } = await directories()
    make('-f', 'qcow2', at('images/base.qcow2'), '1M')
    make('-f', 'qcow2', '-F', 'raw', '-b', secret, at('instance/hda_disk.qcow2'))
    make('-f', 'qcow2', '-F', 'raw', '-b', secret, at('instance/flash.qcow2'))
    const options = { directory: at('instance'), images, tool }
    for (const primaryDisk of ['base.qcow2', '']) {
      await expect(prepareDisks({ ...options, wanted: ideDisks(primaryDisk) })).rejects.toMatchObject({
        reason: 'not-allowed',
      })
    }
  })

  it('refuses an overlay that is a link', async () => {
    const { at, images } = await directories()
    make('-f', 'qcow2', at('images/base.qcow2'), '1M')
    make('-f', 'qcow2', '-F', 'qcow2', '-b', at('images/base.qcow2'), at('outside/other.qcow2'))
    make('-f', 'qcow2', at('outside/flash.qcow2'), '1M')
    await symlink(at('outside/other.qcow2'), at('instance/hda_disk.qcow2'))
    await symlink(at('outside/flash.qcow2'), at('instance/flash.qcow2'))
    const options = { directory: at('instance'), images, tool }
    for (const primaryDisk of ['base.qcow2', '']) {
      await expect(prepareDisks({ ...options, wanted: ideDisks(primaryDisk) })).rejects.toMatchObject({
        reason: 'not-allowed',
      })
    }
  })
})
