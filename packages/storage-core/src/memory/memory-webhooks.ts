import { compileQuery } from '../query/compile-query.ts'
import { pageInMemory } from '../query/page-in-memory.ts'
import { type Delivery, deliveryFields } from '../webhooks/delivery.ts'
import { type Webhook, type WebhookId, webhookFields } from '../webhooks/webhook.ts'
import type { ClaimDelivery, WebhookRepository } from '../webhooks/webhook-repository.ts'
import { longestLease } from '../workers/longest-lease.ts'
import type { HeldDelivery, LedgerWebhook, WebhookLedger } from './webhook-ledger.ts'

const never = new Date(0)

/** Stores webhooks and their deliveries in memory until the process ends. Returns copies. */
export function memoryWebhooks({ webhooks, notices }: WebhookLedger): WebhookRepository {
  const all = (): readonly Webhook[] => [...webhooks.values()].map(({ webhook }) => webhook)
  const deliveriesOf = (uuid: WebhookId): readonly Delivery[] =>
    [...(webhooks.get(uuid)?.deliveries.values() ?? [])]
      .toSorted((left, right) => left.noticeNumber - right.noticeNumber)
      .map(withoutGroup)

  return {
    async add(webhook, secret, maximum) {
      if (webhooks.size >= maximum) return 'too-many'
      const added = { secret, deliveries: new Map(), owner: undefined, leaseUntil: never, retryAt: never }
      webhooks.set(webhook.uuid, { webhook: structuredClone(webhook), ...added })
      return 'added'
    },
    async find(uuid) {
      return structuredClone(webhooks.get(uuid)?.webhook)
    },
    async secretOf(uuid) {
      return webhooks.get(uuid)?.secret
    },
    async list(request) {
      return structuredClone(pageInMemory(webhookFields, all(), request))
    },
    async count(query) {
      return all().filter(compileQuery(webhookFields, query)).length
    },
    async change(uuid, change) {
      const held = webhooks.get(uuid)
      if (!held) return undefined
      if (change.enabled && !held.webhook.enabled) held.retryAt = never
      held.webhook = { ...held.webhook, ...structuredClone(change) }
      return structuredClone(held.webhook)
    },
    async remove(uuid) {
      return webhooks.delete(uuid)
    },
    async listDeliveries(uuid, request) {
      return structuredClone(pageInMemory(deliveryFields, deliveriesOf(uuid), request))
    },
    async countDeliveries(uuid, query) {
      return deliveriesOf(uuid).filter(compileQuery(deliveryFields, query)).length
    },
    async retry(uuid, noticeNumber, now) {
      const held = webhooks.get(uuid)
      const delivery = held?.deliveries.get(noticeNumber)
      if (!held || !delivery) return false
      held.deliveries.set(noticeNumber, { ...delivery, state: 'pending', tries: 0, dueAt: now })
      held.retryAt = never
      return true
    },
    async claim(request) {
      const { owner, now, leaseUntil } = request
      const waiting = [...webhooks.values()]
        .filter((held) => isFree(held, request) && firstDue(held, now))
        .toSorted((left, right) => left.leaseUntil.getTime() - right.leaseUntil.getTime())
      const [held] = waiting
      const delivery = held && firstDue(held, now)
      const stored = delivery && notices.get(delivery.noticeId)
      if (!stored) return undefined
      held.owner = owner
      held.leaseUntil = leaseUntil
      const { webhook, secret } = held
      return structuredClone({ webhook, secret, delivery: withoutGroup(delivery), notice: stored.notice })
    },
    async settle({ webhook: { uuid }, delivery: { noticeNumber } }, owner, outcome, now) {
      const held = webhooks.get(uuid)
      if (held?.owner !== owner || held.leaseUntil <= now) return false
      held.owner = undefined
      held.leaseUntil = now
      held.retryAt = outcome.type === 'failed' ? outcome.retryAt : never
      if (outcome.type === 'closed') held.webhook = { ...held.webhook, enabled: false }
      const delivery = held.deliveries.get(noticeNumber)
      if (!delivery || outcome.type === 'interrupted') return true
      if (outcome.type === 'delivered') {
        held.deliveries.delete(noticeNumber)
        return true
      }
      const { status: _, ...before } = delivery
      const { failure, status } = outcome
      held.deliveries.set(noticeNumber, {
        ...before,
        state: outcome.type === 'dead' ? 'dead' : 'pending',
        tries: delivery.tries + 1,
        triedAt: now,
        failure,
        ...(status !== undefined && { status }),
      })
      return true
    },
    async owners(now) {
      return [...new Set([...webhooks.values()].flatMap((held) => (held.leaseUntil > now ? (held.owner ?? []) : [])))]
    },
    async endLeases(owner, now) {
      for (const held of webhooks.values()) if (held.owner === owner) held.leaseUntil = now
    },
  }
}

const isFree = ({ webhook, leaseUntil, retryAt }: LedgerWebhook, request: ClaimDelivery): boolean =>
  webhook.enabled &&
  (leaseUntil <= request.now || leaseUntil > longestLease(request)) &&
  (retryAt <= request.now || retryAt > request.longestWait)

function firstDue({ deliveries }: LedgerWebhook, now: Date): HeldDelivery | undefined {
  const due = [...deliveries.values()].filter((delivery) => delivery.state === 'pending' && delivery.dueAt <= now)
  return due.toSorted((left, right) => left.noticeNumber - right.noticeNumber)[0]
}

function withoutGroup({ group: _, ...delivery }: HeldDelivery): Delivery {
  return delivery
}
