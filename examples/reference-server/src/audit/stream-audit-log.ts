import type { AuditLog } from './audit-log.ts'

/** Lines of JSON on the standard output, for what collects it. */
export const stdoutAuditLog: AuditLog = {
  write: (entry) => void process.stdout.write(`${JSON.stringify(entry)}\n`),
  close: async () => undefined,
}

/** Without an audit log: a line on the standard error for wrong passwords, at most one a minute for each address. */
export const guessWarnings: AuditLog = {
  write({ reason, from = 'an unknown address', count = 1 }) {
    if (reason !== 'wrong_password' && reason !== 'too_many_guesses') return
    const seen = reason === 'wrong_password' ? 'Wrong admin passwords' : 'Admin passwords that were not looked at'
    console.warn(`${seen} from ${from}: ${count}.`)
  },
  close: async () => undefined,
}
