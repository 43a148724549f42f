import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { expect, it, onTestFinished } from 'vitest'
import { asRecord, createLab, openTerminal } from '../emulation/lab.ts'
import { issueKey } from '../replicas/requests.ts'
import { requireProgram } from '../require-program.ts'
import { ADMIN_PASSWORD, startServer } from '../server-process.ts'
import { send } from './send.ts'
import { upgradeAt } from './upgrade-at.ts'

const hasQemu = await requireProgram('qemu-system-x86_64', 'qemu-system-x86 qemu-utils')

const entrySchema = v.looseObject({ at: v.pipe(v.string(), v.isoTimestamp()), event: v.string(), outcome: v.string() })

const entriesIn = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => v.parse(entrySchema, JSON.parse(line)))

function auditFile(): string {
  const directory = mkdtempSync(join(tmpdir(), 'trivium-audit-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return join(directory, 'audit.log')
}

it('writes who did what, from where and with which outcome to the audit log, and no secret', async () => {
  const file = auditFile()
  writeFileSync(file, '', { mode: 0o644 })
  chmodSync(file, 0o644)
  const server = await startServer({ environment: { TRIVIUM_AUDIT_LOG: file } })
  onTestFinished(() => server[Symbol.asyncDispose]())
  const get = (path: string, headers: Readonly<Record<string, string>>, localAddress = '127.0.0.1') =>
    send(server.url, { method: 'GET', path, headers, localAddress })
  const secret = 'a prompt that no log may have'

  const key = await issueKey(server)
  await server.ask(`/v1/auth/keys/${key.key_id}`, { method: 'PATCH', body: { name: 'renamed' } })
  await server.ask('/v1/auth/keys/absent', { method: 'DELETE' })
  await server.ask('/v1/chat/completions', {
    method: 'POST',
    headers: { authorization: `Bearer ${key.api_key}` },
    body: { model: 'm', messages: [{ role: 'user', content: secret }] },
  })
  const project: { project_id: string } = await (await server.ask('/v1/projects', { method: 'POST', body: {} })).json()
  const volumes: { records: { uuid: string }[] } = await (await server.ask('/api/storage/volumes')).json()
  const volume = volumes.records[0]?.uuid ?? ''
  await server.ask(`/api/storage/volumes/${volume}`, { method: 'PATCH', body: { quota: { enabled: true } } })
  for (let index = 0; index < 40; index += 1) {
    await get('/v1/projects', { authorization: `Basic ${btoa(`admin:guessed ${index}`)}` }, '127.0.0.2')
  }
  await get('/v1/auth/keys', { authorization: `Bearer ${key.api_key}` })
  await upgradeAt(server.url, `/v1/projects/${project.project_id}/emu3/vms/${project.project_id}/console/ws`, {})
  for (let index = 0; index < 20; index += 1) await get('/v1/projects', { authorization: server.admin })
  await server.stop()

  expect(statSync(file).mode & 0o777).toBe(0o600)
  const text = readFileSync(file, 'utf8')
  for (const hidden of [ADMIN_PASSWORD, key.api_key, secret, 'guessed', server.admin])
    expect(text).not.toContain(hidden)
  const entries = entriesIn(text)
  const admin = { who: { type: 'admin' }, from: '127.0.0.1' }
  expect(entries[0]).toMatchObject({ event: 'started' })
  expect(entries.at(-1)).toMatchObject({ event: 'stopped' })
  expect(entries.filter(({ event }) => event === 'login')).toMatchObject([{ ...admin, outcome: 'done' }])
  expect(entries.filter(({ event }) => event === 'operation')).toMatchObject([
    { ...admin, service: 'gateway', operation: 'generateKey', subject: { key_id: key.key_id }, status: 200 },
    { ...admin, operation: 'changeKey', subject: { key_id: key.key_id }, outcome: 'done' },
    { ...admin, operation: 'revokeKey', subject: { key_id: 'absent' }, status: 404, outcome: 'failed' },
    { ...admin, service: 'emulation', subject: { project_id: project.project_id }, status: 201 },
    { ...admin, service: 'storage', subject: { uuid: volume } },
  ])
  expect(entries.filter(({ event, count }) => event === 'refused' && count === undefined)).toMatchObject([
    { reason: 'wrong_password', from: '127.0.0.2', service: 'emulation', operation: 'listProjects', status: 401 },
    { reason: 'too_many_guesses', from: '127.0.0.2', status: 429 },
    { reason: 'admin_required', from: '127.0.0.1', who: { type: 'key', id: key.key_id }, status: 403 },
    { reason: 'missing_credentials', operation: 'openConsoleEmu3' },
  ])
  expect(entries.filter(({ count }) => count !== undefined)).toMatchObject([
    { event: 'refused', reason: 'wrong_password', from: '127.0.0.2', count: 4 },
    { event: 'refused', reason: 'too_many_guesses', from: '127.0.0.2', count: 35 - 1 },
  ])
}, 60_000)

it.runIf(hasQemu)(
  'writes the address of a client that opens a console or monitor at its TCP port to the audit log',
  async () => {
    const file = auditFile()
    await using server = await startServer({ environment: { TRIVIUM_AUDIT_LOG: file } })
    const lab = await createLab(server)
    const pc = await lab.create('emu3', { name: 'pc' })
    const machine = asRecord(await lab.create('emu1', { name: 'machine', emu1_path: 'qemu-system-x86_64', ram: 16 }))
    await lab.start('emu3', pc.vm_id)
    await lab.start('emu1', String(machine.vm_id))
    const shell = await openTerminal(pc.console)
    await shell.until(/> /)
    const monitor = await openTerminal(Number(machine.monitor))
    await monitor.until(/\(qemu\) /)
    for (const terminal of [shell, monitor]) terminal.close()
    await server.stop()
    const common = { outcome: 'done', from: '127.0.0.1', service: 'emulation' }
    const subject = { project_id: lab.projectId, vm_id: pc.vm_id, port: 'console' }
    expect(entriesIn(readFileSync(file, 'utf8')).filter(({ event }) => event === 'console')).toMatchObject([
      { ...common, subject },
      { ...common, subject: { ...subject, vm_id: machine.vm_id, port: 'monitor' } },
    ])
  },
  60_000,
)

it('writes a command on a console to the audit log without its text', async () => {
  const file = auditFile()
  await using server = await startServer({ environment: { TRIVIUM_AUDIT_LOG: file } })
  const lab = await createLab(server)
  const pc = await lab.create('emu3', { name: 'pc' })
  await lab.start('emu3', pc.vm_id)
  const body = { command: 'echo a-secret', timeout_seconds: 60 }
  const response = await server.ask(`${lab.path}/emu3/vms/${pc.vm_id}/run`, { method: 'POST', body })
  expect(await response.json()).toMatchObject({ output: 'a-secret', timed_out: false })
  await server.stop()
  const log = readFileSync(file, 'utf8')
  expect(entriesIn(log)).toContainEqual(
    expect.objectContaining({
      event: 'operation',
      operation: 'runCommandEmu3',
      outcome: 'done',
      subject: { project_id: lab.projectId, vm_id: pc.vm_id },
    }),
  )
  expect(log).not.toContain('a-secret')
}, 60_000)

it('writes the audit log to the standard output where TRIVIUM_AUDIT_LOG is -', async () => {
  await using server = await startServer({ environment: { TRIVIUM_AUDIT_LOG: '-', TRIVIUM_SERVICES: 'gateway' } })
  await issueKey(server)
  await server.stop()
  const lines = server.output().split('\n')
  const entries = entriesIn(lines.filter((line) => line.startsWith('{')).join('\n'))
  expect(entries.map(({ event }) => event)).toEqual(['started', 'login', 'operation', 'stopped'])
})

it('continues to serve while the audit log cannot be written, logs that once, and writes the waiting lines later', async () => {
  const file = auditFile()
  await using server = await startServer({ environment: { TRIVIUM_AUDIT_LOG: file, TRIVIUM_SERVICES: 'gateway' } })
  await issueKey(server)
  rmSync(file)
  mkdirSync(file)
  for (let index = 0; index < 10; index += 1) await issueKey(server)
  rmSync(file, { recursive: true })
  await issueKey(server)
  await server.stop()
  expect(server.output().match(/The audit log .* cannot be written/g)).toHaveLength(1)
  const operations = entriesIn(readFileSync(file, 'utf8')).filter(({ event }) => event === 'operation')
  expect(operations.length).toBeGreaterThanOrEqual(11)
})

it('prints lines for wrong passwords where there is no audit log', async () => {
  await using server = await startServer({ environment: { TRIVIUM_SERVICES: 'gateway' } })
  for (let index = 0; index < 20; index += 1) {
    const headers = { authorization: `Basic ${btoa(`admin:wrong ${index}`)}` }
    await send(server.url, { method: 'GET', path: '/v1/auth/keys', headers, localAddress: '127.0.0.3' })
  }
  await server.stop()
  expect(server.output()).toContain('Wrong admin passwords from 127.0.0.3: 1.\n')
  expect(server.output()).toContain('Wrong admin passwords from 127.0.0.3: 4.\n')
})
