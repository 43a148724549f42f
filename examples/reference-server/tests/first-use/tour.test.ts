import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADMIN_PASSWORD, type ServerProcess, startServer } from '../server-process.ts'
import { chunk, startUpstream } from '../upstream.ts'
import { paste } from './shell.ts'

const elsewhere = mkdtempSync(join(tmpdir(), 'trivium-elsewhere-'))

/** Returns the lines of the tour that a user pastes. */
const pastesOf = (server: ServerProcess): readonly string[] =>
  (server.output().split('To try it, paste')[1] ?? '').split('\n').slice(1)

describe('the tour of a first start', () => {
  let server: ServerProcess
  beforeAll(async () => {
    server = await startServer({
      dataDirectory: join(mkdtempSync(join(tmpdir(), 'trivium-')), "it's here"),
      environment: { TRIVIUM_ADMIN_PASSWORD: '' },
    })
  })
  afterAll(() => server?.[Symbol.asyncDispose]())

  it('names what each service runs on, where the state is and how to log in', () => {
    const output = server.output()
    for (const name of ['gateway', 'emulation', 'storage', 'state', 'data', 'admin', 'pages'])
      expect(output).toMatch(new RegExp(`^  ${name} +\\S`, 'm'))
    expect(output).toContain(`  data       ${server.dataDirectory}\n`)
    expect(output).toMatch(/password \S{24} \(shown once, stored in .*admin-password\)/)
  })

  it.each(['sh', 'bash'])('has lines that work when they are pasted into %s in any directory', async (shell) => {
    const probes = ['ADMIN', 'KEY', 'LAB', 'PC'].map((name) => `echo "${name}=$${name}"`)
    const printed = await paste(shell, [...pastesOf(server), ...probes], { directory: elsewhere })
    expect(printed).toMatch(/^ADMIN=admin:\S{24}$/m)
    expect(printed).toMatch(/^KEY=tvm_\S+$/m)
    expect(printed).toContain('"id":"local/echo-no-llm"')
    expect(printed).toMatch(/"content":"Hello".*data: \[DONE\]/s)
    expect(printed).toMatch(/^LAB=http:\S+\/v1\/projects\/[\w-]{36}$/m)
    expect(printed).toMatch(/^PC=[\w-]{36}$/m)
    expect(printed).toMatch(/^started\n\{"console":\d+,"engine":"embedded","name":"PC1"/m)
    expect(printed).toMatch(/"name":"vol1".*"num_records":1/)
    expect(printed).not.toMatch(/not found|error|curl:/i)
  })
})

it.each(['gateway', 'emulation', 'storage'])('names only existing pages where %s is served alone', async (service) => {
  await using server = await startServer({ environment: { TRIVIUM_SERVICES: service } })
  const [, see = ''] = /^ {2}pages +(.*)$/m.exec(server.output()) ?? []
  const pages = see.replace(server.url, '').split(/ +/)
  expect(pages).toContain('/openapi.json')
  const answers = await Promise.all(pages.map(async (page) => [page, (await server.ask(page)).status]))
  expect(answers).toEqual(pages.map((page) => [page, 200]))
})

it.each([
  ['refers to', '$MY_ADMIN', 'MY_ADMIN', 'MY_ADMIN'],
  ['has', ADMIN_PASSWORD, 'trivium_admin_password of ".*trivium.yaml"', 'TRIVIUM_ADMIN_PASSWORD'],
])('has lines that work where the configuration file %s the password', async (_, password, place, variable) => {
  const file = join(mkdtempSync(join(tmpdir(), 'trivium-tour-')), 'trivium.yaml')
  writeFileSync(file, `trivium_admin_password: ${password}\nupstreams: [{ id: test, kind: local }]\n`)
  await using server = await startServer({
    args: ['--config', file],
    environment: { TRIVIUM_ADMIN_PASSWORD: '', MY_ADMIN: ADMIN_PASSWORD, TRIVIUM_SERVICES: 'gateway' },
  })
  expect(server.output()).not.toContain(ADMIN_PASSWORD)
  expect(server.output()).toMatch(new RegExp(`password as set in ${place}$`, 'm'))
  const environment = { [variable]: ADMIN_PASSWORD }
  const printed = await paste('sh', pastesOf(server), { directory: elsewhere, environment })
  expect(printed).toContain('"id":"test/echo-no-llm"')
})

it('uses the first model for conversations of the upstream, and the password in TRIVIUM_ADMIN_PASSWORD', async () => {
  const upstream = await startUpstream((request, response) => {
    if (request.path.endsWith('/models')) {
      response.setHeader('content-type', 'application/json')
      const more = { object: 'model', created: 1, owned_by: 'them', pricing: { prompt: '0.000001' } }
      const data = ['dall-e-2', 'gpt-image-1', 'm-1', 'm-2'].map((id) => ({ id, ...more }))
      response.end(JSON.stringify({ object: 'list', data }))
      return
    }
    response.setHeader('content-type', 'text/event-stream')
    response.end(`${chunk('from upstream')}${chunk('', 'stop')}data: [DONE]\n\n`)
  })
  try {
    for (const models of ['', 'dall-e-2,m-1']) {
      await using server = await startServer({
        environment: { OPENAI_BASE_URL: upstream.url, OPENAI_MODELS: models, TRIVIUM_SERVICES: 'gateway' },
      })
      expect(server.output()).not.toContain(ADMIN_PASSWORD)
      const environment = { TRIVIUM_ADMIN_PASSWORD: ADMIN_PASSWORD }
      const printed = await paste('sh', pastesOf(server), { directory: elsewhere, environment })
      expect(printed).toMatch(/from upstream.*data: \[DONE\]/s)
      expect(upstream.requests.at(-1)?.body).toContain('"model":"m-1"')
      expect(printed).not.toContain('projects')
    }
  } finally {
    await upstream.close()
  }
})
