import { appendFile, fstatSync } from 'node:fs'
import type { MetricsRecorder } from '@trivium/gateway-core/ports'
import type { AuditLog } from './audit-log.ts'
import { lineWriter } from './line-writer.ts'

export interface StdoutAuditLogOptions {
  /** Receives `dropped` of `auditMetrics`. */
  readonly metrics: MetricsRecorder
  /** Called once for a series of failed writes, until a write succeeds. */
  readonly onFault: (error: unknown) => void
}

/**
 * Writes lines of JSON to the standard output. While the output cannot be written, up to 1 MiB of lines waits, and the
 * server continues.
 */
export const stdoutAuditLog = (options: StdoutAuditLogOptions): AuditLog =>
  lineWriter({ target: 'on the standard output', append: print, ...options })

const print = (text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const written = (error?: Error | null) => (error ? reject(error) : resolve())
    // The stream of a file reports a partial write, as on a disk that becomes full, as a complete one.
    if (fstatSync(process.stdout.fd).isFile()) appendFile(process.stdout.fd, text, written)
    else process.stdout.write(text, written)
  })

/** Replaces an absent audit log: prints wrong passwords to the standard error, at most two lines a minute for each address and reason. */
export const wrongPasswordWarnings: AuditLog = {
  write({ reason, from = 'an unknown address', count = 1 }) {
    if (reason !== 'wrong_password' && reason !== 'too_many_guesses') return
    const seen = reason === 'wrong_password' ? 'Wrong admin passwords' : 'Admin passwords that were refused unchecked'
    console.warn(`${seen} from ${from}: ${count}.`)
  },
  close: async () => undefined,
}
