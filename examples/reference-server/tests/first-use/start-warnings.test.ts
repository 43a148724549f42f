import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { rawClients } from '../abuse/raw-clients.ts'
import { startServer } from '../server-process.ts'

const warningsIn = (output: string) => output.split('\n').filter((line) => line.startsWith('Warning: '))

it('warns of a misspelt setting, a weak password, HTTP without TLS on the network and root, on one line each', async () => {
  await using server = await startServer({
    args: ['--host', '0.0.0.0'],
    environment: { TRIVIUM_ADMIN_PASSWORD: 'changeme', TRIVIUM_SERVICES: 'gateway', TRIVIUM_DURABILTY: 'power' },
  })
  await server.stop()
  const isRoot = process.getuid?.() === 0
  expect(warningsIn(server.output())).toEqual([
    expect.stringContaining('TRIVIUM_DURABILTY is not a setting and has no effect. Did you mean TRIVIUM_DURABILITY?'),
    expect.stringContaining('The admin password is easy to guess'),
    expect.stringContaining('unencrypted at 0.0.0.0'),
    ...(isRoot ? [expect.stringContaining('runs as root')] : []),
  ])
  expect(server.output()).not.toContain('changeme')
})

it('warns of a data directory that other users can write', async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'trivium-open-'))
  onTestFinished(() => rmSync(dataDirectory, { recursive: true, force: true }))
  chmodSync(dataDirectory, 0o777)
  await using server = await startServer({ dataDirectory, environment: { TRIVIUM_SERVICES: 'gateway' } })
  await server.stop()
  expect(warningsIn(server.output())).toContainEqual(expect.stringContaining(`the directory "${dataDirectory}" and`))
})

it('accepts as many connections as its limit of open files allows, warns of that, and answers requests meanwhile', async () => {
  await using server = await startServer({
    launcher: ['sh', '-c', 'ulimit -n 512 && exec "$0" "$@"'],
    environment: { TRIVIUM_SERVICES: 'gateway' },
  })
  const clients = await rawClients(server, 300)
  // Each connection over the limit is accepted and closed, which needs a descriptor too.
  await Promise.all(clients.slice(256).map(({ closed }) => closed))
  for (const { socket } of clients) socket.destroy()
  expect((await server.ask('/v1/models')).status).toBe(200)
  await server.stop()
  expect(warningsIn(server.output())).toContainEqual(expect.stringContaining('At most 256 connections are accepted'))
})
