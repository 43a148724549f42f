import type { Split, Storage } from '@trivium/storage-core'
import type { NewActivity } from './activity.ts'
import { createDigest } from './digest.ts'

/** Reports the events of a storage service. The progress of splits is gathered, and reported at most once a second. */
export function reportStorage({ events }: Storage, report: (activity: NewActivity) => void): void {
  const reportActivity = (activity: Omit<NewActivity<'storage'>, 'service'>) =>
    report({ service: 'storage', ...activity })

  for (const [type, words] of [
    ['clone-token.created', 'was created'],
    ['clone-token.expired', 'expired'],
    ['clone-token.deleted', 'was deleted'],
  ] as const) {
    events.on(type, ({ uuid, node }) => {
      const summary = `A clone token of ${node.name} ${words}`
      reportActivity({ type, summary, topics: ['tokens', 'nodes'], ids: { token: uuid } })
    })
  }
  events.on('clone-token.consumed', ({ token, size }) => {
    const summary = `${size} bytes were charged to a clone token`
    reportActivity({ type: 'clone-token.consumed', summary, topics: ['tokens', 'nodes'], ids: { token } })
  })

  events.on('webhook.failed', ({ uuid, name }, { kind }, { reason, isFinal }) => {
    if (!isFinal) return
    // The address of a webhook can contain a secret.
    const summary = `A notice (${kind}) was not delivered to the webhook ${name ?? uuid}: ${reason}`
    reportActivity({ type: 'webhook.failed', summary, topics: ['webhooks'], ids: { webhook: uuid } })
  })

  const reportSplit = (type: string, { uuid, path, volume }: Split, words: string) => {
    const summary = `The split of ${path} on ${volume.name} ${words}`
    reportActivity({ type, summary, topics: ['splits', 'nodes', 'volumes'], ids: { split: uuid, volume: volume.uuid } })
  }
  for (const [type, words] of [
    ['split.requested', 'was asked for'],
    ['split.started', 'started'],
    ['split.paused', 'is paused'],
    ['split.resumed', 'is resumed'],
    ['split.cancelled', 'was cancelled'],
    ['split.done', 'is done'],
  ] as const) {
    events.on(type, (split) => reportSplit(type, split, words))
  }
  events.on('split.refused', (split, { reason }) => reportSplit('split.refused', split, `waits: ${reason}`))
  const progress = createDigest<{ readonly summary: string; readonly volume: string }>((splits) => {
    for (const [split, { summary, volume }] of splits) {
      reportActivity({ type: 'split.progress', summary, topics: ['splits', 'nodes'], ids: { split, volume } })
    }
  })
  events.on('split.progress', ({ uuid, path, volume, size, remaining }) => {
    const percent = size === 0 ? 100 : Math.floor((100 * (size - remaining)) / size)
    const summary = `The split of ${path} on ${volume.name}: ${percent} %`
    progress.add(uuid, () => ({ summary, volume: volume.uuid }))
  })

  for (const [type, words] of [
    ['quota-rule.created', 'was created'],
    ['quota-rule.modified', 'was changed'],
    ['quota-rule.deleted', 'was deleted'],
  ] as const) {
    events.on(type, ({ uuid, target, volume }) => {
      const summary = `A ${target.type} rule on ${volume.name} ${words}`
      reportActivity({ type, summary, topics: ['rules', 'reports'], ids: { rule: uuid, volume: volume.uuid } })
    })
  }
  events.on('quota.state-changed', ({ uuid, name }, state) => {
    const summary = `Quotas on ${name} are ${state}`
    reportActivity({ type: 'quota.state-changed', summary, topics: ['volumes', 'reports'], ids: { volume: uuid } })
  })
  for (const [type, words] of [
    ['quota.soft-limit-exceeded', 'passed its soft limit'],
    ['quota.soft-limit-normal', 'is below its soft limit again'],
    ['quota.hard-limit-exceeded', 'reached its hard limit'],
  ] as const) {
    events.on(type, ({ uuid, name }, { limit, used, allowed }) => {
      const summary = `A quota target on ${name} ${words}: ${limit} ${used} of ${allowed}`
      reportActivity({ type, summary, topics: ['reports', 'volumes'], ids: { volume: uuid } })
    })
  }

  for (const [type, words] of [
    ['quota.threshold-exceeded', 'reached a threshold'],
    ['quota.threshold-normal', 'is below a threshold again'],
    ['quota.grace-ended', 'has ended its grace period'],
  ] as const) {
    events.on(type, ({ uuid, name }, { limit, percent, used, allowed }) => {
      const mark = percent === undefined ? `${allowed}` : `${percent} % of ${allowed}`
      const summary = `A quota target on ${name} ${words}: ${limit} ${used}, ${mark}`
      reportActivity({ type, summary, topics: ['reports', 'volumes'], ids: { volume: uuid } })
    })
  }
  events.on('quota.enforcement-lost', ({ uuid, name }, { reason }) => {
    const summary = `Quotas on ${name} are not enforced. ${reason}`
    reportActivity({ type: 'quota.enforcement-lost', summary, topics: ['volumes', 'reports'], ids: { volume: uuid } })
  })
  events.on('quota.enforcement-restored', ({ uuid, name }) => {
    const summary = `Quotas on ${name} are enforced again`
    reportActivity({
      type: 'quota.enforcement-restored',
      summary,
      topics: ['volumes', 'reports'],
      ids: { volume: uuid },
    })
  })

  for (const [type, words] of [
    ['qtree.created', 'was created'],
    ['qtree.modified', 'was changed'],
    ['qtree.deleted', 'was deleted'],
  ] as const) {
    events.on(type, ({ name, volume }) => {
      const summary = `Qtree ${name} on ${volume.name} ${words}`
      reportActivity({ type, summary, topics: ['qtrees', 'reports'], ids: { volume: volume.uuid } })
    })
  }
  events.on('job.ended', ({ uuid, description, state, failure }) => {
    const summary = failure ? `${description} failed: ${failure.message}` : `${description}: ${state}`
    reportActivity({ type: 'job.ended', summary, topics: ['jobs'], ids: { job: uuid } })
  })
}
