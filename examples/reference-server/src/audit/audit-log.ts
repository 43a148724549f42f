import type { CallerIdentity, RefusalReason } from '@trivium/http-contract'

/** One line of the audit log: who did what, when, from where, and what came of it. No secret, no part of a body but ids. */
export interface AuditEntry {
  /** ISO 8601, in UTC. */
  readonly at: string
  readonly event: 'started' | 'stopped' | 'login' | 'operation' | 'console' | 'refused'
  readonly outcome: 'done' | 'failed' | 'refused'
  readonly who?: CallerIdentity | undefined
  /** The address of the caller; with a `count` its source, or `others` where too many were refused to name each. */
  readonly from?: string | undefined
  readonly service?: string
  readonly operation?: string
  /** What the operation was about: ids and names out of the path and the answer. */
  readonly subject?: Readonly<Record<string, string>>
  readonly request_id?: string
  readonly status?: number
  readonly reason?: RefusalReason | 'foreign_origin'
  /** How many refusals, or connections to a console, the line stands for. */
  readonly count?: number
}

/** Where audit entries go. */
export interface AuditLog {
  /** Takes an entry, and never throws. */
  write(entry: AuditEntry): void
  /** Resolves when everything that was taken is written, or cannot be. */
  close(): Promise<void>
}
