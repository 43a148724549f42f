import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ExampleProcess, startExample } from '../../../tests/example-process.ts'

const run = promisify(execFile)
const MEBIBYTE = 2 ** 20
let example: ExampleProcess
beforeAll(async () => {
  example = await startExample('hono-storage', { ADMIN_PASSWORD: 'correct horse' })
})
afterAll(() => example?.[Symbol.asyncDispose]())

const authorization = `Basic ${btoa('admin:correct horse')}`

/** Runs the operator's tool as an operator does. */
const limitUser = async (...args: readonly string[]): Promise<string> => {
  const program = join(import.meta.dirname, '../src/limit-user.ts')
  const { stdout } = await run(process.execPath, ['--conditions=@trivium/source', program, ...args], {
    env: { PATH: process.env.PATH, SERVER: example.url, ADMIN_PASSWORD: 'correct horse' },
  })
  return stdout.trim()
}

const upload = (user: string, file: string, size: number) =>
  fetch(`${example.url}/uploads/${user}/${file}`, { method: 'PUT', body: new Uint8Array(size) })

it("serves the application's own routes", async () => {
  expect(await (await fetch(example.url)).text()).toContain('quotas under /api')
  expect((await fetch(`${example.url}/api/cluster`)).status).toBe(401)
  expect((await fetch(`${example.url}/elsewhere`)).status).toBe(404)
})

it('refuses an upload over a quota that was set through the interface, and reports the usage', async () => {
  expect(await limitUser('ada', '5')).toBe('ada may upload 5 MiB')

  expect((await upload('ada', 'thesis', 4 * MEBIBYTE)).status).toBe(201)
  const refused = await upload('ada', 'film', 2 * MEBIBYTE)
  expect(refused.status).toBe(507)
  expect(await refused.json()).toMatchObject({ reason: 'quota-exceeded' })
  await example.line(/A write to homes was refused: spaceHard is 5242880/)
  expect((await upload('grace', 'film', 2 * MEBIBYTE)).status).toBe(201)

  const reports = await fetch(`${example.url}/api/storage/quota/reports?users.name=ada&fields=space.used.total`, {
    headers: { authorization },
  })
  expect(await reports.json()).toMatchObject({ records: [{ space: { used: { total: 4 * MEBIBYTE } } }] })
})

it('exits with 0 on SIGTERM', async () => {
  expect(await example.stop()).toBe(0)
})
