import type { Fields } from '../source/fields.ts'
import { itemsOf } from '../source/source-node.ts'

const SPANS = 'The server emits OpenTelemetry spans and metrics where its process has an exporter.'

/** Reads the lists of callbacks. */
export function readCallbacks(fields: Fields): void {
  const { ledger } = fields
  for (const name of [
    'callbacks',
    'success_callback',
    'failure_callback',
    'service_callback',
    'service_callbacks',
    'audit_log_callbacks',
  ]) {
    const node = fields.node(name)
    if (!node) continue
    for (const item of itemsOf(node)) {
      const callback = item.kind === 'value' ? String(item.value) : ''
      if (/^prometheus/.test(callback))
        ledger.note(item, 'not needed', 'The server has `/metrics`, with names of its own.')
      else if (/^(?:otel|opentelemetry)/.test(callback)) ledger.note(item, 'not needed', SPANS)
      else if (/^(?:langfuse|arize|phoenix|langsmith|logfire|datadog|traceloop|opik|braintrust|weave)/.test(callback)) {
        ledger.note(item, 'left out', `The gateway has no client of this service. Send it OpenTelemetry. ${SPANS}`)
      } else
        ledger.note(
          item,
          'left out',
          'The gateway runs no code of this name. Its events and OpenTelemetry report each request.',
        )
    }
    if (itemsOf(node).length === 0) ledger.use(node)
  }
}
