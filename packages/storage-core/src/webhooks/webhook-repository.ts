import type { Notice } from '../notices/notice.ts'
import type { Page, PageRequest } from '../query/page.ts'
import type { Query } from '../query/query.ts'
import type { Delivery, DeliveryField } from './delivery.ts'
import type { Webhook, WebhookChange, WebhookField, WebhookId } from './webhook.ts'

/**
 * The store of webhooks and of their deliveries, which `NoticeRepository.publish` adds. A rejection means that the store
 * failed.
 *
 * A worker holds a webhook by a lease while it makes one delivery, so that a webhook gets one at a time from any number
 * of processes.
 */
export interface WebhookRepository {
  /** Adds a webhook with its secret unless there are `maximum` of them. Atomic. */
  add(webhook: Webhook, secret: string, maximum: number): Promise<'added' | 'too-many'>
  find(uuid: WebhookId): Promise<Webhook | undefined>
  /** Returns the secret by which deliveries are signed, or `undefined`. */
  secretOf(uuid: WebhookId): Promise<string | undefined>
  list(request: PageRequest<WebhookField>): Promise<Page<Webhook>>
  count(query: Query<WebhookField>): Promise<number>
  /**
   * Changes the given members. A webhook that becomes enabled is tried again immediately. Atomic.
   *
   * @returns the changed webhook, or `undefined`
   */
  change(uuid: WebhookId, change: WebhookChange): Promise<Webhook | undefined>
  /** Removes a webhook with its deliveries. Atomic. @returns whether it existed */
  remove(uuid: WebhookId): Promise<boolean>

  listDeliveries(uuid: WebhookId, request: PageRequest<DeliveryField>): Promise<Page<Delivery>>
  countDeliveries(uuid: WebhookId, query: Query<DeliveryField>): Promise<number>
  /**
   * Makes a delivery pending, due now, without tries, and lets the webhook be claimed at `now`. Atomic.
   *
   * @returns whether it exists
   */
  retry(uuid: WebhookId, noticeNumber: number, now: Date): Promise<boolean>
  /**
   * Takes the first due pending delivery of an enabled webhook that waits for no retry and that no live lease holds, of
   * the one that was held longest ago. Atomic. A lease that ends later than `longestLease`, and a wait that ends after
   * `longestWait`, count as ended, because the clock of its owner was wrong.
   */
  claim(request: ClaimDelivery): Promise<ClaimedDelivery | undefined>
  /**
   * Records the outcome of a claimed delivery and ends the lease. A delivered one is removed. Atomic.
   *
   * @returns whether the owner still held the webhook. If not, nothing was changed
   */
  settle(claimed: ClaimedDelivery, owner: string, outcome: DeliveryOutcome, now: Date): Promise<boolean>
  /** The owners of live leases, each once, in any order. */
  owners(now: Date): Promise<readonly string[]>
  /** Ends every lease of a worker that has ended. Atomic. */
  endLeases(owner: string, now: Date): Promise<void>
}

/** The lease of a worker. */
export interface ClaimDelivery {
  /** The id of the worker's process. */
  readonly owner: string
  readonly now: Date
  /** The end of the lease. */
  readonly leaseUntil: Date
  /** The latest end of a wait before a retry. */
  readonly longestWait: Date
}

/** A delivery that a worker makes. */
export interface ClaimedDelivery {
  readonly webhook: Webhook
  readonly secret: string
  readonly delivery: Delivery
  readonly notice: Notice
}

/** The result of a try. */
export type DeliveryOutcome =
  | { readonly type: 'delivered' }
  /** The try does not count, because the process stops. */
  | { readonly type: 'interrupted' }
  /** No delivery of the webhook is tried before `retryAt`. */
  | { readonly type: 'failed'; readonly failure: string; readonly status?: number; readonly retryAt: Date }
  /** No more tries are made. */
  | { readonly type: 'dead'; readonly failure: string; readonly status?: number }
  /** The receiver no longer exists: the webhook is disabled, and the delivery waits. */
  | { readonly type: 'closed'; readonly failure: string; readonly status?: number }
