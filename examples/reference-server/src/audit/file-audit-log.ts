import { closeSync, constants, fchmodSync, fstatSync, openSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import type { MetricsRecorder } from '@trivium/gateway-core/ports'
import { SettingsError } from '../settings.ts'
import type { AuditLog } from './audit-log.ts'
import { auditMetrics } from './audit-metrics.ts'
import { lineWriter } from './line-writer.ts'

export interface FileAuditLogOptions {
  /** A file that would exceed this size is rotated first. @default 16 MiB */
  readonly maxBytes?: number
  /** The number of files with the current one: `FILE`, `FILE.1` and so on. @default 8 */
  readonly files?: number
  /** Receives `auditMetrics`. */
  readonly metrics: MetricsRecorder
  /** Called once for a series of failed writes, until a write succeeds. */
  readonly onFault: (error: unknown) => void
}

const APPENDING = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY

/**
 * Writes lines of JSON to a file that other users cannot read, and rotates it by size. While the file cannot be written,
 * up to 1 MiB of lines waits, and the server continues.
 *
 * @throws SettingsError where the file cannot be opened
 */
export function fileAuditLog(
  path: string,
  { maxBytes = 16 * 2 ** 20, files = 8, metrics, onFault }: FileAuditLogOptions,
): AuditLog {
  makePrivate(path)
  const append = async (text: string): Promise<void> => {
    const file = await open(path, APPENDING, 0o600)
    let isFull = false
    try {
      const found = await file.stat()
      const bytes = Buffer.byteLength(text)
      isFull = found.isFile() && found.size > 0 && found.size + bytes > maxBytes
      if (!isFull) {
        await file.appendFile(text)
        metrics.record(auditMetrics.written, bytes, {})
      }
    } finally {
      await file.close()
    }
    if (!isFull) return
    await rotate(path, files)
    metrics.record(auditMetrics.rotations, 1, {})
    await append(text)
  }
  return lineWriter({ target: path, append, metrics, onFault })
}

function makePrivate(path: string): void {
  try {
    const file = openSync(path, APPENDING, 0o600)
    try {
      if (fstatSync(file).isFile()) fchmodSync(file, 0o600)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : error
    throw new SettingsError(
      `TRIVIUM_AUDIT_LOG: the file "${path}" cannot be written (${reason}). Name another file, or - for the standard output.`,
    )
  }
}

async function rotate(path: string, files: number): Promise<void> {
  const nameOf = (index: number) => (index === 0 ? path : `${path}.${index}`)
  await rm(nameOf(files - 1), { force: true })
  for (let index = files - 2; index >= 0; index -= 1) {
    await rename(nameOf(index), nameOf(index + 1)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
  }
}
