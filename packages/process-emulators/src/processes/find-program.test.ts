import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { scratchFolder } from '../../tests/scratch-folder.ts'
import { findProgram, usualProgramFolders } from './find-program.ts'

it('finds a program by name and by path', async () => {
  expect(await findProgram({ program: 'sh', folders: usualProgramFolders, title: 'a shell' })).toMatch(/\/sh$/)
  expect(await findProgram({ program: '/bin/sh', folders: [], title: 'a shell' })).toBe('/bin/sh')
})

it('takes the first folder that has it, and only what can be run', async () => {
  const folder = await scratchFolder()
  for (const name of ['one', 'two']) {
    await mkdir(join(folder, name))
    await writeFile(join(folder, name, 'tool'), '')
  }
  await mkdir(join(folder, 'three', 'tool'), { recursive: true })
  await chmod(join(folder, 'two', 'tool'), 0o755)
  const folders = ['three', 'one', 'two'].map((name) => join(folder, name))
  expect(await findProgram({ program: 'tool', folders, title: 'the tool' })).toBe(join(folder, 'two', 'tool'))
})

it('names the package that has a missing program', async () => {
  const missing = findProgram({ program: 'vpcs', folders: ['/nowhere'], title: 'VPCS', debianPackage: 'vpcs' })
  await expect(missing).rejects.toMatchObject({
    name: 'Refusal',
    reason: 'missing-program',
    debianPackage: 'vpcs',
    message: "VPCS was not found as 'vpcs' in /nowhere; on Debian: apt install vpcs",
  })
})
