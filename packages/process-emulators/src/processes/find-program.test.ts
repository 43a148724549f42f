import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { scratchDirectory } from '../../tests/scratch-directory.ts'
import { defaultProgramDirectories, findProgram } from './find-program.ts'

it('finds a program by name and by path', async () => {
  expect(await findProgram({ program: 'sh', directories: defaultProgramDirectories, title: 'a shell' })).toMatch(
    /\/sh$/,
  )
  expect(await findProgram({ program: '/bin/sh', directories: [], title: 'a shell' })).toBe('/bin/sh')
})

it('searches the directories in order, for executable files only', async () => {
  const directory = await scratchDirectory()
  for (const name of ['one', 'two']) {
    await mkdir(join(directory, name))
    await writeFile(join(directory, name, 'tool'), '')
  }
  await mkdir(join(directory, 'three', 'tool'), { recursive: true })
  await chmod(join(directory, 'two', 'tool'), 0o755)
  const directories = ['three', 'one', 'two'].map((name) => join(directory, name))
  expect(await findProgram({ program: 'tool', directories, title: 'the tool' })).toBe(join(directory, 'two', 'tool'))
})

it('names the package that has a missing program', async () => {
  const missing = findProgram({ program: 'vpcs', directories: ['/nowhere'], title: 'VPCS', debianPackage: 'vpcs' })
  await expect(missing).rejects.toMatchObject({
    name: 'Refusal',
    reason: 'missing-program',
    debianPackage: 'vpcs',
    message: "VPCS was not found as 'vpcs' in /nowhere. On Debian, run: apt install vpcs",
  })
})
