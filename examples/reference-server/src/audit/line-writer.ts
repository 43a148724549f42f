import type { MetricsRecorder } from '@trivium/gateway-core/ports'
import type { AuditLog } from './audit-log.ts'
import { auditMetrics } from './audit-metrics.ts'

export interface LineWriterOptions {
  /** The name of the target in messages for operators. */
  readonly target: string
  /** Writes complete lines. A failure can leave a part of them written. */
  readonly append: (text: string) => Promise<void>
  readonly metrics: MetricsRecorder
  /** Called once for a series of failed writes, until a write succeeds. */
  readonly onFault: (error: unknown) => void
}

/** The limit of the lines that wait for a target that cannot be written. Further lines are dropped. */
const MAX_WAITING_BYTES = 2 ** 20
const RETRY_MS = 1000

/** Writes lines of JSON in order. While the target cannot be written, up to 1 MiB of lines waits, and the server continues. */
export function lineWriter({ target, append, metrics, onFault }: LineWriterOptions): AuditLog {
  let waiting = ''
  let hasPartialLine = false
  let isFailing = false
  let writing: Promise<void> | undefined
  let retry: NodeJS.Timeout | undefined

  const writeWaiting = async (): Promise<void> => {
    while (waiting !== '') {
      const text = waiting
      waiting = ''
      try {
        // A failed write can have left half a line.
        await append(hasPartialLine ? `\n${text}` : text)
        hasPartialLine = false
        isFailing = false
      } catch (error) {
        hasPartialLine = true
        waiting = text + waiting
        if (!isFailing) onFault(new Error(`The audit log ${target} cannot be written.`, { cause: error }))
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
    write(entry) {
      if (waiting.length > MAX_WAITING_BYTES) return metrics.record(auditMetrics.dropped, 1, {})
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
