import { closeSync, constants, fchmodSync, fstatSync, openSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import type { MetricsRecorder } from '@trivium/gateway-core/ports'
import { SettingsError } from '../settings.ts'
import type { AuditEntry, AuditLog } from './audit-log.ts'
import { auditMetrics } from './audit-metrics.ts'

export interface FileAuditLogOptions {
  /** A file that would grow beyond is put aside first. @default 16 MiB */
  readonly maxBytes?: number
  /** How many files there are, the one that is written included: `FILE`, `FILE.1` and so on. @default 8 */
  readonly files?: number
  /** Gets `auditMetrics`. */
  readonly metrics: MetricsRecorder
  /** Hears once of each failure to write, until a write succeeds. */
  readonly onFault: (error: unknown) => void
}

/** Lines that may wait for a file that cannot be written; later ones are dropped. */
const MOST_WAITING_BYTES = 2 ** 20
const RETRY_MS = 1000

const APPENDING = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY

/**
 * Lines of JSON in a file that other users cannot read, put aside by size. A file that cannot be written does not stop
 * anything: up to 1 MiB waits for it.
 *
 * @throws SettingsError where the file cannot be opened at all
 */
export function fileAuditLog(
  path: string,
  { maxBytes = 16 * 2 ** 20, files = 8, metrics, onFault }: FileAuditLogOptions,
): AuditLog {
  closeToOthers(path)
  let waiting = ''
  let isTorn = false
  let isFailing = false
  let writing: Promise<void> | undefined
  let retry: NodeJS.Timeout | undefined

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
    await putAside(path, files)
    metrics.record(auditMetrics.rotations, 1, {})
    await append(text)
  }
  const writeWaiting = async (): Promise<void> => {
    while (waiting !== '') {
      const text = waiting
      waiting = ''
      try {
        // A write that failed may have left half a line.
        await append(isTorn ? `\n${text}` : text)
        isTorn = false
        isFailing = false
      } catch (error) {
        isTorn = true
        waiting = text + waiting
        if (!isFailing) onFault(new Error(`The audit log ${path} cannot be written`, { cause: error }))
        isFailing = true
        retry = setTimeout(start, RETRY_MS).unref()
        return
      }
    }
  }
  const start = (): void => {
    clearTimeout(retry)
    writing ??= writeWaiting().finally(() => {
      writing = undefined
    })
  }
  return {
    write(entry: AuditEntry) {
      if (waiting.length > MOST_WAITING_BYTES) return metrics.record(auditMetrics.dropped, 1, {})
      waiting += `${JSON.stringify(entry)}\n`
      if (!isFailing) start()
    },
    async close() {
      await writing
      start()
      await writing
      clearTimeout(retry)
    },
  }
}

function closeToOthers(path: string): void {
  try {
    const file = openSync(path, APPENDING, 0o600)
    try {
      if (fstatSync(file).isFile()) fchmodSync(file, 0o600)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : error
    throw new SettingsError(`TRIVIUM_AUDIT_LOG: the file ${path} cannot be written (${reason}); name another, or - .`)
  }
}

async function putAside(path: string, files: number): Promise<void> {
  const nameOf = (index: number) => (index === 0 ? path : `${path}.${index}`)
  await rm(nameOf(files - 1), { force: true })
  for (let index = files - 2; index >= 0; index -= 1) {
    await rename(nameOf(index), nameOf(index + 1)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
  }
}
