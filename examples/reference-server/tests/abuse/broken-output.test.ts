import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { canMountSmallDisks, mountSmallDisk } from '../../../../packages/sql-repositories/tests/small-disk.ts'
import { ownPortSettings } from '../own-ports.ts'
import { freePort } from '../replicas/free-port.ts'
import { issueKey } from '../replicas/requests.ts'
import { ADMIN_PASSWORD, type ServerProcess, startServer } from '../server-process.ts'

const canMount = await canMountSmallDisks()

const environment = { TRIVIUM_AUDIT_LOG: '-', TRIVIUM_SERVICES: 'gateway' }
const LOG_FAILURE = /The audit log on the standard output cannot be written/g

/** Sends three wrong passwords. Without an audit log the server prints a line for them. */
async function sendWrongPasswords(server: ServerProcess) {
  for (let index = 0; index < 3; index += 1) {
    await server.ask('/v1/auth/keys', { headers: { authorization: `Basic ${btoa(`admin:wrong ${index}`)}` } })
  }
}

it('continues to serve, and logs once that the audit log cannot be written, when the reader of its output has ended', async () => {
  await using server = await startServer({ environment })
  server.process.stdout?.destroy()
  for (let index = 0; index < 5; index += 1) await issueKey(server)
  await vi.waitFor(() => expect(server.output()).toMatch(LOG_FAILURE), 10_000)
  expect((await server.ask('/health')).status).toBe(200)
  expect(await server.stop()).toBe(0)
  expect(server.output().match(LOG_FAILURE)).toHaveLength(1)
  expect(server.output()).not.toContain('Unhandled')
})

it.each(['', '-'])('continues to serve when both outputs are closed, with TRIVIUM_AUDIT_LOG=%j', async (target) => {
  await using server = await startServer({ environment: { ...environment, TRIVIUM_AUDIT_LOG: target } })
  server.process.stdout?.destroy()
  server.process.stderr?.destroy()
  await issueKey(server)
  await sendWrongPasswords(server)
  await issueKey(server)
  expect(await server.stop()).toBe(0)
})

it.runIf(canMount)(
  'continues to serve while its output goes to a full disk, and writes the waiting lines once there is space',
  async () => {
    const disk = await mountSmallDisk(1)
    onTestFinished(() => disk.unmount())
    const home = mkdtempSync(join(tmpdir(), 'trivium-output-'))
    onTestFinished(() => rmSync(home, { recursive: true, force: true }))
    const port = await freePort()
    const file = join(disk.directory, 'output')
    const output = openSync(file, 'a')
    disk.fill()
    const child = spawn(
      process.execPath,
      [
        ...['--conditions=@trivium/source', join(import.meta.dirname, '../../start.js')],
        ...['--port', `${port}`, '--data-dir', join(home, 'data')],
      ],
      {
        env: {
          ...(await ownPortSettings()),
          ...environment,
          PATH: process.env.PATH,
          TRIVIUM_ADMIN_PASSWORD: ADMIN_PASSWORD,
        },
        stdio: ['ignore', output, 'pipe'],
      },
    )
    closeSync(output)
    const exited = once(child, 'exit')
    onTestFinished(async () => {
      child.kill('SIGKILL')
      await exited
    })
    let errors = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      errors += text
    })
    const url = `http://127.0.0.1:${port}`
    const issue = () =>
      fetch(`${url}/v1/auth/generate-key`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`admin:${ADMIN_PASSWORD}`)}`, 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'test-user' }),
      })
    await vi.waitFor(async () => expect((await fetch(`${url}/health`)).status).toBe(200), 60_000)
    for (let index = 0; index < 40; index += 1) expect((await issue()).status).toBe(200)
    await vi.waitFor(() => expect(errors).toMatch(LOG_FAILURE), 10_000)
    disk.free()
    expect((await issue()).status).toBe(200)
    child.kill('SIGTERM')
    await exited
    expect(child.exitCode).toBe(0)
    expect(errors.match(LOG_FAILURE)).toHaveLength(1)
    const text = readFileSync(file, 'utf8')
    expect(text.match(/"operation":"generateKey"/g)).toHaveLength(41)
    expect(text).toContain('"event":"stopped"')
  },
  120_000,
)
