import { describe, expect, it } from 'vitest'
import { readSettings } from './read-settings.ts'
import { startWarnings } from './start-warnings.ts'

async function settingsOf(environment: NodeJS.ProcessEnv) {
  const request = await readSettings([], environment)
  if (request.kind !== 'serve') throw new Error('there are no settings')
  return request.configuration.settings
}

interface Changes {
  readonly password?: string
  readonly file?: string
  readonly environment?: NodeJS.ProcessEnv
  readonly userId?: number
  readonly connections?: number
  readonly dataDirectory?: { readonly uid: number; readonly mode: number }
}

const warningsOf = async ({
  password = 'q8Zr-1mV.t_Lw4Yd',
  file,
  environment = {},
  userId = 1000,
  connections = 10_000,
  dataDirectory = { uid: userId, mode: 0o40700 },
}: Changes) =>
  startWarnings({
    settings: await settingsOf(environment),
    admin: { password, isNew: false, ...(file !== undefined && { file }) },
    userId,
    connections,
    dataDirectory,
  })

describe('startWarnings', () => {
  it('returns no warnings for safe settings', async () => {
    expect(await warningsOf({})).toEqual([])
    expect(await warningsOf({ environment: { HOST: '::1' } })).toEqual([])
    const tls = { TRIVIUM_TLS_CERT: 'c', TRIVIUM_TLS_KEY: 'k' }
    expect(await warningsOf({ environment: { HOST: '0.0.0.0', ...tls } })).toEqual([])
    for (const password of ['correct horse battery staple', 'Vj3-summer-Qx81-kD', 'mRt4TqvX0sLb', 'a5f0c1d2e4b7'])
      expect(await warningsOf({ password })).toEqual([])
  })

  it('warns of a server without authentication', async () => {
    const [warning] = await warningsOf({ environment: { TRIVIUM_AUTH: 'off' } })
    expect(warning).toContain('TRIVIUM_AUTH is off')
  })

  it('warns about trusted options where labs run', async () => {
    const environment = { TRIVIUM_TRUST_OPTIONS: '1' }
    expect(await warningsOf({ environment })).toEqual([
      expect.stringContaining('TRIVIUM_TRUST_OPTIONS=1 lets everyone'),
    ])
    expect(await warningsOf({ environment: { ...environment, TRIVIUM_SERVICES: 'gateway' } })).toEqual([])
  })

  it.each([
    'short',
    'qwertyuiop',
    'Password12345!',
    'admin-admin-admin',
    'changeme2026!!',
    'aaaaaaaaaaaaaaaa',
    '123123123123123123',
    '12345678901',
    '123456789012',
    'iloveyou1234',
    'Summer2026!!',
    'abcdefghijkl',
    'qwertzuiop12',
    'Winter2025Winter2025',
    'zyxwvutsrqponm',
    'abcabcabcabcabc',
    '1qaz2wsx3edc',
    'ab12ab12ab12ab12',
  ])('warns of the password %s without repeating it', async (password) => {
    expect(await warningsOf({ password })).toEqual([expect.stringMatching(/password is easy to guess/)])
    expect((await warningsOf({ password })).join()).not.toContain(password)
  })

  it('names the place of the password in a configuration file', async () => {
    const { settings, ...others } = { settings: await settingsOf({}), userId: 1000, connections: 10_000 }
    const warned = (variable: string | undefined) =>
      startWarnings({
        ...others,
        settings,
        admin: { password: 'short', isNew: false, setting: { configFile: 'a.yaml', variable } },
        dataDirectory: { uid: 1000, mode: 0o40700 },
      })
    expect(warned('MY_ADMIN')).toEqual([expect.stringContaining('characters in MY_ADMIN,')])
    expect(warned(undefined)).toEqual([expect.stringContaining('in trivium_admin_password of "a.yaml",')])
  })

  it('returns no warning for a password that the server made', async () => {
    expect(await warningsOf({ password: 'short', file: 'admin-password' })).toEqual([])
  })

  it.each(['0.0.0.0', '::', '192.0.2.1'])('warns of HTTP without TLS at %s', async (host) => {
    expect(await warningsOf({ environment: { HOST: host } })).toEqual([
      expect.stringContaining(`unencrypted at ${host}`),
    ])
  })

  it('warns where the server runs as root', async () => {
    expect(await warningsOf({ userId: 0 })).toEqual([expect.stringContaining('as root, and so do the emulators')])
    const gateway = { TRIVIUM_SERVICES: 'gateway' }
    expect(await warningsOf({ userId: 0, environment: gateway })).toEqual([expect.stringContaining('does not need to')])
  })

  it('returns no warning of root where volumes need it and no labs are served', async () => {
    const environment = { TRIVIUM_SERVICES: 'storage', TRIVIUM_VOLUMES: 'vol1=/srv/volumes/vol1' }
    expect(await warningsOf({ userId: 0, environment })).toEqual([])
    expect(
      await warningsOf({ userId: 0, environment: { ...environment, TRIVIUM_SERVICES: 'storage,emulation' } }),
    ).toEqual([expect.stringContaining('as root')])
  })

  it.each([
    ['other users can write to', { uid: 1000, mode: 0o40707 }, /Other users can write to the directory/],
    ['its group can write to', { uid: 1000, mode: 0o40770 }, /Other users can write to the directory/],
    ['belongs to another user', { uid: 1001, mode: 0o40700 }, /belongs to another user/],
  ])('warns of a data directory that %s', async (_, dataDirectory, warning) => {
    expect(await warningsOf({ dataDirectory })).toEqual([expect.stringMatching(warning)])
  })

  it('accepts a data directory of root, and a sticky one', async () => {
    expect(await warningsOf({ dataDirectory: { uid: 0, mode: 0o40755 } })).toEqual([])
    expect(await warningsOf({ dataDirectory: { uid: 0, mode: 0o41777 } })).toEqual([])
  })

  it('names the limit of connections, and what raises it', async () => {
    expect(await warningsOf({ connections: 512 })).toEqual([
      expect.stringMatching(/At most 512 connections .* instead of 10000, .* to 20000 with "ulimit -n"/),
    ])
  })
})
