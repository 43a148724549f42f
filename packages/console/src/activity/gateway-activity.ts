import type { ApiKey, Caller, Gateway } from '@trivium/gateway-core'
import type { ProviderError } from '@trivium/gateway-core/ports'
import type { NewActivity } from './activity.ts'
import { createDigest } from './digest.ts'

const changes = {
  changed: 'was changed',
  rotated: 'has a new secret',
  revoked: 'was revoked',
} as const

/** The message of an upstream that refuses can repeat the prompt, so only its status is shown. */
const messageOf = (error: ProviderError): string =>
  error.type === 'refused' ? `The upstream refused a request with status ${error.status}.` : error.message

const limitNames: Readonly<Record<string, string>> = {
  'budget-exceeded': 'tokens',
  'spend-exceeded': 'money',
  'parallel-exceeded': 'requests at the same time',
}

/** Callers without a key or a name are named by their type. */
function callerName(caller: Caller): string {
  if (caller.type === 'key') return nameOf(caller.key)
  return caller.type === 'user' ? `User ${caller.id}` : caller.type
}

const nameOf = ({ username, name, hint }: ApiKey): string => `Key ${name ?? hint} of ${username}`

/**
 * Reports the events of a gateway. Requests are gathered by model, refusals by caller and failures by provider, and
 * reported at most once a second.
 */
export function reportGateway({ events }: Pick<Gateway, 'events'>, report: (activity: NewActivity) => void): void {
  const reportActivity = (activity: Omit<NewActivity<'gateway'>, 'service'>) =>
    report({ service: 'gateway', ...activity })

  const requests = createDigest<{ readonly total: number; readonly failed: number }>((models) => {
    for (const [model, { total, failed }] of models) {
      const failures = failed === 0 ? '' : `, ${failed} of them failed`
      const summary = `${total} ${total === 1 ? 'request' : 'requests'} to ${model}${failures}`
      reportActivity({ type: 'request.finished', summary, topics: ['usage', 'keys'], ids: { model } })
    }
  })
  const refusals = createDigest<number>((callers) => {
    for (const [name, count] of callers) {
      reportActivity({
        type: 'limit.exceeded',
        summary: `${name}: ${count} refused over the limit`,
        topics: ['usage'],
        ids: {},
      })
    }
  })
  const failures = createDigest<string>((providers) => {
    for (const [provider, message] of providers) {
      reportActivity({
        type: 'provider.failed',
        summary: `${provider}: ${message}`,
        topics: ['health'],
        ids: { provider },
      })
    }
  })

  events.on('key.created', (key) =>
    reportActivity({
      type: 'key.created',
      summary: `${nameOf(key)} was created`,
      topics: ['keys'],
      ids: { key: key.id },
    }),
  )
  events.on('key.changed', (key, change) => {
    const summary = `${nameOf(key)} ${changes[change]}`
    reportActivity({ type: 'key.changed', summary, topics: ['keys'], ids: { key: key.id } })
  })
  events.on('request.finished', ({ model, status }) =>
    requests.add(model, ({ total, failed } = { total: 0, failed: 0 }) => ({
      total: total + 1,
      failed: failed + (status >= 400 ? 1 : 0),
    })),
  )
  events.on('limit.exceeded', ({ caller }) => refusals.add(callerName(caller), (count = 0) => count + 1))
  events.on('budget.exceeded', ({ caller }, error) =>
    refusals.add(`${callerName(caller)}, ${limitNames[error.type] ?? error.type}`, (count = 0) => count + 1),
  )
  events.on('provider.failed', ({ provider, error }) => failures.add(provider, () => messageOf(error)))
  events.on('circuit.opened', ({ kind, id, model }) => {
    const summary = `${model === undefined ? id : `${id}/${model}`} failed too often and is not used for some time`
    reportActivity({ type: 'circuit.opened', summary, topics: ['health', 'models'], ids: { [kind]: id } })
  })
  events.on('circuit.closed', ({ kind, id, model }) => {
    const summary = `${model === undefined ? id : `${id}/${model}`} is used again`
    reportActivity({ type: 'circuit.closed', summary, topics: ['health', 'models'], ids: { [kind]: id } })
  })
  events.on('usage.dropped', (records) =>
    reportActivity({
      type: 'usage.dropped',
      summary: `${records.length} usage records were lost`,
      topics: ['usage'],
      ids: {},
    }),
  )
}
