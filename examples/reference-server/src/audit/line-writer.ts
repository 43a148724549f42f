import type { MetricsRecorder } from '@trivium/gateway-core/ports'
import type { AuditLog } from './audit-log.ts'
import { auditMetrics } from './audit-metrics.ts'

export interface LineWriterOptions {
  /** What the lines go to, as an operator knows it. */
  readonly target: string
  /** Writes whole lines; a failure may leave a part of them written. */
  readonly append: (text: string) => Promise<void>
  readonly metrics: MetricsRecorder
  /** Hears once of each failure to write, until a write succeeds. */
  readonly onFault: (error: unknown) => void
}

/** Lines that may wait for a target that cannot be written; later ones are dropped. */
const MOST_WAITING_BYTES = 2 ** 20
const RETRY_MS = 1000

/** Lines of JSON, in order. A target that cannot be written does not stop anything: up to 1 MiB waits for it. */
export function lineWriter({ target, append, metrics, onFault }: LineWriterOptions): AuditLog {
  let waiting = ''
  let isTorn = false
  let isFailing = false
  let writing: Promise<void> | undefined
  let retry: NodeJS.Timeout | undefined

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
        if (!isFailing) onFault(new Error(`The audit log ${target} cannot be written`, { cause: error }))
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
