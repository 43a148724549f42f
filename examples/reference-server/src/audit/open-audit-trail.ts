import { resolve } from 'node:path'
import type { MetricsRecorder } from '@trivium/gateway-core/ports'
import type { AuditLog } from './audit-log.ts'
import { type AuditTrail, auditTrail } from './audit-trail.ts'
import { fileAuditLog } from './file-audit-log.ts'
import { stdoutAuditLog, wrongPasswordWarnings } from './stream-audit-log.ts'

/** Where an audit log reports its metrics and faults. */
export interface AuditReports {
  readonly metrics: MetricsRecorder
  readonly onFault: (error: unknown) => void
}

/** @param target a file, `-` for the standard output; without it only wrong passwords are printed, as warnings */
export const openAuditTrail = (target: string | undefined, reports: AuditReports): AuditTrail =>
  auditTrail(logOf(target, reports))

function logOf(target: string | undefined, reports: AuditReports): AuditLog {
  if (target === undefined) return wrongPasswordWarnings
  return target === '-' ? stdoutAuditLog(reports) : fileAuditLog(resolve(target), reports)
}
