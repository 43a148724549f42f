import { chmodSync, chownSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { adminPassword } from './admin-password.ts'
import { SettingsError } from './settings.ts'

const directory = () => mkdtempSync(join(tmpdir(), 'trivium-'))

it('makes a password once and reads it at the next start', async () => {
  const data = join(directory(), 'state')
  const first = await adminPassword(undefined, data)
  expect(first).toMatchObject({ isNew: true, file: join(data, 'admin-password') })
  expect(first.password.length).toBeGreaterThanOrEqual(24)
  expect(await adminPassword(undefined, data)).toEqual({ ...first, isNew: false })
})

it('stores the password in a file that only its owner can read', async () => {
  const { file = '', password } = await adminPassword(undefined, directory())
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).toBe(`${password}\n`)
})

it.each(['620', '602', '666'])('refuses a password file that other users can write, with mode %s', async (mode) => {
  const data = directory()
  const file = join(data, 'admin-password')
  writeFileSync(file, 'planted\n')
  chmodSync(file, Number.parseInt(mode, 8))
  await expect(adminPassword(undefined, data)).rejects.toThrow(SettingsError)
  await expect(adminPassword(undefined, data)).rejects.toThrow(/admin-password" .*other users can write to it/)
  chmodSync(file, 0o644)
  expect(await adminPassword(undefined, data)).toMatchObject({ password: 'planted' })
})

it.runIf(process.getuid?.() === 0)('refuses a password file of another user', async () => {
  const data = directory()
  const file = join(data, 'admin-password')
  writeFileSync(file, 'planted\n', { mode: 0o600 })
  chownSync(file, 65_534, 65_534)
  await expect(adminPassword(undefined, data)).rejects.toThrow(/admin-password" .*belongs to another user/)
})

it('writes nothing when the password is given', async () => {
  expect(await adminPassword('given', '/does/not/exist')).toEqual({ password: 'given', isNew: false })
})
