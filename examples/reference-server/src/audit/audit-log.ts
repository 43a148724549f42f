import type { CallerIdentity, RefusalReason } from '@trivium/http-contract'

/** One line of the audit log: who did what, when, from where, and with which outcome. It has no secrets, and of bodies only ids. */
export interface AuditEntry {
  /** ISO 8601, in UTC. */
  readonly at: string
  readonly event: 'started' | 'stopped' | 'login' | 'operation' | 'console' | 'refused'
  readonly outcome: 'done' | 'failed' | 'refused'
  readonly who?: CallerIdentity | undefined
  /** The address of the caller. With a `count` it is the source, or `others` for all sources beyond the first 100. */
  readonly from?: string | undefined
  readonly service?: string
  readonly operation?: string
  /** The objects of the operation: ids and names from the path and the answer. */
  readonly subject?: Readonly<Record<string, string>>
  readonly request_id?: string
  readonly status?: number
  readonly reason?: RefusalReason | 'foreign_origin'
  /** The number of refusals, or of connections to a console, that the line counts. */
  readonly count?: number
}

/** Where audit entries go. */
export interface AuditLog {
  /** Accepts an entry. Never throws. */
  write(entry: AuditEntry): void
  /** Resolves once every accepted entry is written, or has failed to be written. */
  close(): Promise<void>
}
