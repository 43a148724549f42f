import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSettings, SettingsError, settingNames } from './settings.ts'

function serve(args: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const request = readSettings(args, environment)
  if (request.kind !== 'serve') throw new Error(`the request is of kind ${request.kind}`)
  return request.settings
}

describe('readSettings', () => {
  it('returns a default for every setting that a first start needs', () => {
    expect(serve([])).toMatchObject({
      PORT: 8787,
      HOST: '127.0.0.1',
      TRIVIUM_TRANSPORT: 'fastify',
      TRIVIUM_DATA_DIR: '.trivium',
      TRIVIUM_CONSOLE_PORTS: { first: 2000, last: 5000 },
      TRIVIUM_VOLUMES: [{ name: 'vol1', location: 'simulated' }],
    })
  })

  it('prefers flags to variables, and variables to the file', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'trivium-')), 'config.json')
    writeFileSync(file, JSON.stringify({ PORT: '1', HOST: '::1', TRIVIUM_DATA_DIR: '/srv' }))
    expect(serve(['--port', '3', '--config', file], { PORT: '2', HOST: '127.0.0.2' })).toMatchObject({
      PORT: 3,
      HOST: '127.0.0.2',
      TRIVIUM_DATA_DIR: '/srv',
    })
  })

  it('returns the limit of chat requests in MiB, at most 128', () => {
    expect(serve([]).TRIVIUM_CHAT_BODY_MIB).toBe(32)
    expect(serve([], { TRIVIUM_CHAT_BODY_MIB: '64' }).TRIVIUM_CHAT_BODY_MIB).toBe(64)
    expect(() => serve([], { TRIVIUM_CHAT_BODY_MIB: '129' })).toThrow('TRIVIUM_CHAT_BODY_MIB')
  })

  it('returns the dialects of OPENAI_DIALECTS, and refuses an unknown one and an empty list', () => {
    expect(serve([]).OPENAI_DIALECTS).toBeUndefined()
    expect(serve([], { OPENAI_DIALECTS: 'chat, responses' }).OPENAI_DIALECTS).toEqual(['chat', 'responses'])
    for (const wrong of ['messages', ',']) {
      expect(() => serve([], { OPENAI_DIALECTS: wrong })).toThrow('OPENAI_DIALECTS')
    }
  })

  it('returns several volumes', () => {
    expect(serve([], { TRIVIUM_VOLUMES: 'a=simulated, b=/mnt/b' }).TRIVIUM_VOLUMES).toEqual([
      { name: 'a', location: 'simulated' },
      { name: 'b', location: '/mnt/b' },
    ])
  })

  it('returns the services of TRIVIUM_SERVICES, and refuses an unknown one and an empty list', () => {
    expect(serve([]).TRIVIUM_SERVICES).toEqual(['gateway', 'emulation', 'storage'])
    expect(serve([], { TRIVIUM_SERVICES: 'storage, gateway' }).TRIVIUM_SERVICES).toEqual(['storage', 'gateway'])
    for (const wrong of ['gateway,labs', ',']) {
      expect(() => serve([], { TRIVIUM_SERVICES: wrong })).toThrow('TRIVIUM_SERVICES')
    }
  })

  it.each([
    [['--port', 'eighty'], 'PORT'],
    [['--port', '70000'], 'PORT'],
    [['--transport', 'koa'], 'TRIVIUM_TRANSPORT'],
    [['--prot', '1'], '--prot'],
    [['--tls-cert', 'a.pem'], '--tls-key'],
    [['--config', '/does/not/exist'], '/does/not/exist'],
  ])('refuses %j with a message that names it', (args, name) => {
    expect(() => readSettings(args, {})).toThrow(SettingsError)
    expect(() => readSettings(args, {})).toThrow(name)
  })

  it('refuses a database of an unknown kind', () => {
    expect(() => readSettings([], { DATABASE_URL: 'oracle://x' })).toThrow('DATABASE_URL')
  })

  it('accepts numbers in the file, and OLLAMA_HOST in the forms that Ollama accepts', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'trivium-')), 'config.json')
    writeFileSync(file, JSON.stringify({ PORT: 1, OLLAMA_HOST: 'models.internal' }))
    expect(serve(['--config', file])).toMatchObject({ PORT: 1, OLLAMA_HOST: 'http://models.internal:11434' })
    expect(serve([], { OLLAMA_HOST: 'https://models.internal/' }).OLLAMA_HOST).toBe('https://models.internal')
  })

  it('lists every flag and variable in its help', () => {
    const request = readSettings(['--help'], {})
    const text = request.kind === 'help' ? request.text : ''
    expect(text).toContain('--data-dir DIR')
    for (const name of settingNames) expect(text).toContain(name)
  })
})
