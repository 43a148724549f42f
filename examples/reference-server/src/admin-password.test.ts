import { mkdtempSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { adminPassword } from './admin-password.ts'

const directory = () => mkdtempSync(join(tmpdir(), 'trivium-'))

it('makes a password once and finds it again', async () => {
  const data = join(directory(), 'state')
  const first = await adminPassword(undefined, data)
  expect(first).toMatchObject({ isNew: true, file: join(data, 'admin-password') })
  expect(first.password.length).toBeGreaterThanOrEqual(24)
  expect(await adminPassword(undefined, data)).toEqual({ ...first, isNew: false })
})

it('keeps it where only its owner reads', async () => {
  const { file = '', password } = await adminPassword(undefined, directory())
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).toBe(`${password}\n`)
})

it('writes nothing when the password is given', async () => {
  expect(await adminPassword('given', '/does/not/exist')).toEqual({ password: 'given', isNew: false })
})
