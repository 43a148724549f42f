import { resolve } from 'node:path'
import type { AuditLog } from './audit-log.ts'
import { type AuditTrail, auditTrail } from './audit-trail.ts'
import { fileAuditLog } from './file-audit-log.ts'
import { guessWarnings, stdoutAuditLog } from './stream-audit-log.ts'

/** @param target a file, `-` for the standard output, absent for warnings of guesses alone */
export const openAuditTrail = (target: string | undefined, onFault: (error: unknown) => void): AuditTrail =>
  auditTrail(logOf(target, onFault))

function logOf(target: string | undefined, onFault: (error: unknown) => void): AuditLog {
  if (target === undefined) return guessWarnings
  return target === '-' ? stdoutAuditLog : fileAuditLog(resolve(target), { onFault })
}
