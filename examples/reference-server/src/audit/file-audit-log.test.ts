import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MetricsRecorder } from '@trivium/gateway-core/ports'
import { expect, it, onTestFinished } from 'vitest'
import { fileAuditLog } from './file-audit-log.ts'

/** Sums the recorded values by the name of the metric. */
function sums() {
  const values: Record<string, number> = {}
  const metrics: MetricsRecorder = {
    record: ({ name }, value) => {
      values[name] = (values[name] ?? 0) + value
    },
  }
  return { values, metrics }
}

it('rotates a file before it exceeds its limit, keeps the given number of files, and records both metrics', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'trivium-audit-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const file = join(directory, 'audit.log')
  const faults: unknown[] = []
  const { values, metrics } = sums()
  let last = ''
  for (let index = 0; index < 100; index += 1) {
    const log = fileAuditLog(file, { maxBytes: 500, files: 3, metrics, onFault: (error) => faults.push(error) })
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
  const lineBytes = Buffer.byteLength(`${JSON.stringify({ at: last, event: 'login', outcome: 'done' })}\n`)
  expect(values).toEqual({
    'trivium.audit.written': 100 * lineBytes,
    'trivium.audit.rotations': Math.ceil(100 / Math.floor(500 / lineBytes)) - 1,
  })
})

it('counts the lines that it drops while the file cannot be written', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'trivium-audit-'))
  const { values, metrics } = sums()
  const log = fileAuditLog(join(directory, 'audit.log'), { metrics, onFault: () => undefined })
  rmSync(directory, { recursive: true })
  const entry = { at: '', event: 'login', outcome: 'done', from: '.'.repeat(2 ** 18) } as const
  for (let index = 0; index < 10; index += 1) log.write(entry)
  await log.close()
  // One line is being written, and four wait.
  expect(values).toEqual({ 'trivium.audit.dropped': 5 })
})

it('throws at the start where the directory is absent', () => {
  expect(() =>
    fileAuditLog('/nowhere/at/all/audit.log', { metrics: sums().metrics, onFault: () => undefined }),
  ).toThrow(/TRIVIUM_AUDIT_LOG/)
})
