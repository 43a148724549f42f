import { appendFile, fstatSync } from 'node:fs'
import type { MetricsRecorder } from '@trivium/gateway-core/ports'
import type { AuditLog } from './audit-log.ts'
import { lineWriter } from './line-writer.ts'

export interface StdoutAuditLogOptions {
  /** Gets the lines that are dropped, of `auditMetrics`. */
  readonly metrics: MetricsRecorder
  /** Hears once of each failure to write, until a write succeeds. */
  readonly onFault: (error: unknown) => void
}

/**
 * Lines of JSON on the standard output, for what collects it. An output that cannot be written does not stop anything: up
 * to 1 MiB waits for it.
 */
export const stdoutAuditLog = (options: StdoutAuditLogOptions): AuditLog =>
  lineWriter({ target: 'on the standard output', append: print, ...options })

const print = (text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const written = (error?: Error | null) => (error ? reject(error) : resolve())
    // The stream of a file takes half a write, as a disk that is full soon makes it, for a whole one.
    if (fstatSync(process.stdout.fd).isFile()) appendFile(process.stdout.fd, text, written)
    else process.stdout.write(text, written)
  })

/** Without an audit log: a line on the standard error for wrong passwords, at most one a minute for each address. */
export const guessWarnings: AuditLog = {
  write({ reason, from = 'an unknown address', count = 1 }) {
    if (reason !== 'wrong_password' && reason !== 'too_many_guesses') return
    const seen = reason === 'wrong_password' ? 'Wrong admin passwords' : 'Admin passwords that were not looked at'
    console.warn(`${seen} from ${from}: ${count}.`)
  },
  close: async () => undefined,
}
