import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { fileAuditLog } from './file-audit-log.ts'

it('puts a file aside before it grows too large, and keeps so many', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'trivium-audit-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const file = join(directory, 'audit.log')
  const faults: unknown[] = []
  let last = ''
  for (let index = 0; index < 100; index += 1) {
    const log = fileAuditLog(file, { maxBytes: 500, files: 3, onFault: (error) => faults.push(error) })
    last = new Date(index).toISOString()
    log.write({ at: last, event: 'login', outcome: 'done' })
    await log.close()
  }
  expect(readdirSync(directory).toSorted()).toEqual(['audit.log', 'audit.log.1', 'audit.log.2'])
  for (const name of readdirSync(directory)) {
    const { size, mode } = statSync(join(directory, name))
    expect([size <= 500, mode & 0o777]).toEqual([true, 0o600])
  }
  expect(readFileSync(file, 'utf8')).toContain(last)
  expect(faults).toEqual([])
})

it('reports a directory that is not there at the start', () => {
  expect(() => fileAuditLog('/nowhere/at/all/audit.log', { onFault: () => undefined })).toThrow(/TRIVIUM_AUDIT_LOG/)
})
