import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSettings } from './read-settings.ts'
import { SettingsError, settingNames } from './settings.ts'

async function serve(args: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const request = await readSettings(args, environment)
  if (request.kind !== 'serve') throw new Error(`the request is of kind ${request.kind}`)
  return request.configuration.settings
}

describe('readSettings', () => {
  it('returns a default for every setting that a first start needs', async () => {
    expect(await serve([])).toMatchObject({
      PORT: 8787,
      HOST: '127.0.0.1',
      TRIVIUM_TRANSPORT: 'fastify',
      TRIVIUM_DATA_DIR: '.trivium',
      TRIVIUM_CONSOLE_PORTS: { first: 2000, last: 5000 },
      TRIVIUM_VOLUMES: [{ name: 'vol1', location: 'simulated' }],
    })
  })

  it('prefers flags to variables, and variables to the file', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'trivium-')), 'config.json')
    writeFileSync(file, JSON.stringify({ PORT: '1', HOST: '::1', TRIVIUM_DATA_DIR: '/srv' }))
    expect(await serve(['--port', '3', '--config', file], { PORT: '2', HOST: '127.0.0.2' })).toMatchObject({
      PORT: 3,
      HOST: '127.0.0.2',
      TRIVIUM_DATA_DIR: '/srv',
    })
  })

  it('requires a password or sources for consoles that other machines reach', async () => {
    const TRIVIUM_CONSOLE_HOST = '0.0.0.0'
    await expect(serve([], { TRIVIUM_CONSOLE_HOST })).rejects.toThrow('Set TRIVIUM_CONSOLE_PASSWORD or')
    await expect(serve([], { TRIVIUM_CONSOLE_HOST, TRIVIUM_CONSOLE_PASSWORD: 'short' })).rejects.toThrow(
      'TRIVIUM_CONSOLE_PASSWORD must have at least 8 characters. See --help.',
    )
    await expect(serve([], { TRIVIUM_CONSOLE_HOST, TRIVIUM_CONSOLE_SOURCES: 'all' })).rejects.toThrow(SettingsError)
    await serve([], { TRIVIUM_CONSOLE_HOST, TRIVIUM_CONSOLE_PASSWORD: 'long enough' })
    const { TRIVIUM_CONSOLE_SOURCES } = await serve([], { TRIVIUM_CONSOLE_HOST, TRIVIUM_CONSOLE_SOURCES: '10.0.0.0/8' })
    expect(TRIVIUM_CONSOLE_SOURCES).toEqual(['10.0.0.0/8'])
  })

  it('returns the limit of chat requests in MiB, at most 128', async () => {
    expect((await serve([])).TRIVIUM_CHAT_BODY_MIB).toBe(32)
    expect((await serve([], { TRIVIUM_CHAT_BODY_MIB: '64' })).TRIVIUM_CHAT_BODY_MIB).toBe(64)
    await expect(serve([], { TRIVIUM_CHAT_BODY_MIB: '129' })).rejects.toThrow('TRIVIUM_CHAT_BODY_MIB')
  })

  it('returns the dialects of OPENAI_DIALECTS, and refuses an unknown one and an empty list', async () => {
    expect((await serve([])).OPENAI_DIALECTS).toBeUndefined()
    expect((await serve([], { OPENAI_DIALECTS: 'chat, responses' })).OPENAI_DIALECTS).toEqual(['chat', 'responses'])
    for (const wrong of ['messages', ',']) {
      await expect(serve([], { OPENAI_DIALECTS: wrong })).rejects.toThrow('OPENAI_DIALECTS')
    }
  })

  it.each(['', 'a b', 'x'.repeat(65), '1.3\n'])('refuses or ignores the version %j', async (version) => {
    const start = serve([], { TRIVIUM_VERSION_TOLD: version })
    if (version === '') expect((await start).TRIVIUM_VERSION_TOLD).toBeUndefined()
    else await expect(start).rejects.toThrow('TRIVIUM_VERSION_TOLD must be a version')
  })

  it('returns the networks that labs reach, none by default, and refuses what is not a network', async () => {
    expect((await serve([])).TRIVIUM_LAB_REACH).toEqual([])
    const networks = 'internet, 10.20.0.0/16,2001:db8::/32,192.0.2.7'
    expect((await serve([], { TRIVIUM_LAB_REACH: networks })).TRIVIUM_LAB_REACH).toEqual(networks.split(/, */))
    for (const wrong of ['all', '10.0.0.0/33', 'example.org', 'fe80::1%eth0', '10.0.0.0-10.0.0.9']) {
      await expect(serve([], { TRIVIUM_LAB_REACH: wrong })).rejects.toThrow(
        `TRIVIUM_LAB_REACH must be networks such as 10.0.0.0/8, single addresses or internet, separated by commas, not "${wrong}". See --help.`,
      )
    }
  })

  it('returns the devices that labs can use, none by default, and refuses what is not a name', async () => {
    expect((await serve([])).TRIVIUM_LAB_DEVICES).toEqual([])
    expect((await serve([], { TRIVIUM_LAB_DEVICES: 'tap0, br-lab.1' })).TRIVIUM_LAB_DEVICES).toEqual([
      'tap0',
      'br-lab.1',
    ])
    for (const wrong of ['-x', '../eth0', 'eth0:1', 'longer-than-15-characters']) {
      await expect(serve([], { TRIVIUM_LAB_DEVICES: wrong })).rejects.toThrow('TRIVIUM_LAB_DEVICES')
    }
  })

  it('returns the socket and the images of containers, none by default, and refuses what cannot be one', async () => {
    const { TRIVIUM_CONTAINER_SOCKET, TRIVIUM_CONTAINER_IMAGES } = await serve([])
    expect([TRIVIUM_CONTAINER_SOCKET, TRIVIUM_CONTAINER_IMAGES]).toEqual([undefined, []])
    const images = 'localhost/labs/*, frr:10'
    expect((await serve([], { TRIVIUM_CONTAINER_IMAGES: images })).TRIVIUM_CONTAINER_IMAGES).toEqual(images.split(', '))
    const socket = '/run/podman/podman.sock'
    expect((await serve([], { TRIVIUM_CONTAINER_SOCKET: socket })).TRIVIUM_CONTAINER_SOCKET).toBe(socket)
    await expect(serve([], { TRIVIUM_CONTAINER_SOCKET: 'podman.sock' })).rejects.toThrow('must be an absolute path')
    for (const wrong of ['a b', "frr'", 'x'.repeat(256)])
      await expect(serve([], { TRIVIUM_CONTAINER_IMAGES: wrong })).rejects.toThrow('TRIVIUM_CONTAINER_IMAGES')
  })

  it('returns the floor of splits in bytes or as a percentage, and refuses another text', async () => {
    for (const [text, floor] of [
      ['1073741824', 2 ** 30],
      ['0', 0],
      ['7.5%', '7.5%'],
      ['100%', '100%'],
    ] as const) {
      expect((await serve([], { TRIVIUM_SPLIT_FLOOR: text })).TRIVIUM_SPLIT_FLOOR).toBe(floor)
    }
    expect((await serve([])).TRIVIUM_SPLIT_FLOOR).toBe('5%')
    for (const wrong of ['-1', '101%', '5 %', 'much']) {
      await expect(serve([], { TRIVIUM_SPLIT_FLOOR: wrong })).rejects.toThrow('TRIVIUM_SPLIT_FLOOR')
    }
  })

  it('returns several volumes', async () => {
    expect((await serve([], { TRIVIUM_VOLUMES: 'a=simulated, b=/mnt/b' })).TRIVIUM_VOLUMES).toEqual([
      { name: 'a', location: 'simulated' },
      { name: 'b', location: '/mnt/b' },
    ])
  })

  it('returns the services of TRIVIUM_SERVICES, and refuses an unknown one and an empty list', async () => {
    expect((await serve([])).TRIVIUM_SERVICES).toEqual(['gateway', 'emulation', 'storage'])
    expect((await serve([], { TRIVIUM_SERVICES: 'storage, gateway' })).TRIVIUM_SERVICES).toEqual(['storage', 'gateway'])
    for (const wrong of ['gateway,labs', ',']) {
      await expect(serve([], { TRIVIUM_SERVICES: wrong })).rejects.toThrow('TRIVIUM_SERVICES')
    }
  })

  it.each([
    [['--port', 'eighty'], 'PORT'],
    [['--port', '70000'], 'PORT'],
    [['--transport', 'koa'], 'TRIVIUM_TRANSPORT'],
    [['--prot', '1'], '--prot'],
    [['--tls-cert', 'a.pem'], '--tls-key'],
    [['--config', '/does/not/exist'], '/does/not/exist'],
  ])('refuses %j with a message that names it', async (args, name) => {
    await expect(readSettings(args, {})).rejects.toThrow(SettingsError)
    await expect(readSettings(args, {})).rejects.toThrow(name)
  })

  it('refuses a database of an unknown kind', async () => {
    await expect(readSettings([], { DATABASE_URL: 'oracle://x' })).rejects.toThrow('DATABASE_URL')
  })

  it('accepts numbers in the file, and OLLAMA_HOST in the forms that Ollama accepts', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'trivium-')), 'config.json')
    writeFileSync(file, JSON.stringify({ PORT: 1, OLLAMA_HOST: 'models.internal' }))
    expect(await serve(['--config', file])).toMatchObject({ PORT: 1, OLLAMA_HOST: 'http://models.internal:11434' })
    expect((await serve([], { OLLAMA_HOST: 'https://models.internal/' })).OLLAMA_HOST).toBe('https://models.internal')
  })

  it('lists every flag and variable in its help', async () => {
    const request = await readSettings(['--help'], {})
    const text = request.kind === 'print' ? request.text : ''
    expect(text).toContain('--data-dir DIR')
    for (const name of settingNames) expect(text).toContain(name)
  })
})
