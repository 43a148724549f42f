import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { scratchDirectory } from '../../tests/scratch-directory.ts'
import { allowedFile, allowedPath } from './allowed-file.ts'

async function directories() {
  const root = await scratchDirectory()
  const [images, outside] = [join(root, 'images'), join(root, 'outside')]
  await mkdir(join(images, 'deep'), { recursive: true })
  await mkdir(outside)
  for (const path of [join(images, 'disk'), join(images, 'deep', 'disk'), join(outside, 'secret')])
    await writeFile(path, '')
  return { images, outside, rules: { directories: [images], files: [] } }
}

it('accepts relative and absolute paths inside, and returns them absolute', async () => {
  const { images, rules } = await directories()
  expect((await allowedFile('disk', 'disk image', rules)).path).toBe(join(images, 'disk'))
  expect((await allowedFile('./deep/../deep/disk', 'disk image', rules)).path).toBe(join(images, 'deep', 'disk'))
  expect((await allowedFile(join(images, 'disk'), 'disk image', rules)).path).toBe(join(images, 'disk'))
})

it('refuses paths outside the directories, existing or not', async () => {
  const { images, outside, rules } = await directories()
  await symlink(join(outside, 'secret'), join(images, 'link'))
  await symlink(outside, join(images, 'folder'))
  for (const path of [
    '../outside/secret',
    join(outside, 'secret'),
    join(outside, 'nothing'),
    '/etc/passwd',
    'link',
    'folder/secret',
    `${images}-other/disk`,
    'disk\0',
    images,
  ]) {
    await expect(allowedFile(path, 'disk image', rules), path).rejects.toMatchObject({ reason: 'not-allowed' })
  }
})

it('refuses unfinished uploads, by any path', async () => {
  const { images, rules } = await directories()
  const hidden = join(images, '.disk-images')
  await mkdir(hidden)
  await writeFile(join(hidden, 'disk.part'), '')
  await symlink(join(hidden, 'disk.part'), join(images, 'link'))
  for (const path of ['.disk-images/disk.part', 'deep/../.disk-images/disk.part', join(hidden, 'disk.part'), 'link']) {
    await expect(allowedFile(path, 'disk image', rules), path).rejects.toMatchObject({ reason: 'not-allowed' })
  }
})

it('refuses a path that is not a readable file', async () => {
  const { rules } = await directories()
  for (const path of ['nothing', 'deep']) {
    await expect(allowedFile(path, 'disk image', rules), path).rejects.toMatchObject({ reason: 'unusable-image' })
  }
})

it('accepts links inside the directories, and single files that the host allows', async () => {
  const { images, outside, rules } = await directories()
  await symlink(join(images, 'disk'), join(images, 'inner'))
  expect((await allowedFile('inner', 'disk image', rules)).path).toBe(join(images, 'inner'))
  const files = [join(outside, 'secret')]
  expect((await allowedFile(join(outside, 'secret'), 'disk image', { ...rules, files })).path).toBe(files[0])
  await expect(allowedFile('disk', 'disk image', { directories: [], files })).rejects.toMatchObject({
    reason: 'not-allowed',
  })
})

it('accepts a path that does not exist yet, and none outside', async () => {
  const { images, outside, rules } = await directories()
  await symlink(outside, join(images, 'folder'))
  await symlink(join(images, 'later'), join(images, 'inner'))
  for (const path of ['nothing', 'no/such/disk', 'deep/nothing', 'inner', join(images, 'nothing'), 'disk'])
    expect(await allowedPath(path, 'disk image', rules), path).toBe(resolve(images, path))
  for (const path of [
    '../nothing',
    'folder/nothing',
    'folder/no/such/disk',
    join(outside, 'nothing'),
    `${images}-x/disk`,
  ])
    await expect(allowedPath(path, 'disk image', rules), path).rejects.toMatchObject({ reason: 'not-allowed' })
  await expect(allowedPath('deep', 'disk image', rules)).rejects.toMatchObject({ reason: 'unusable-image' })
})
