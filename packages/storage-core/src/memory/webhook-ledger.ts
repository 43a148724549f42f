import type { StoredNotice } from '../notices/stored-notice.ts'
import type { Delivery } from '../webhooks/delivery.ts'
import type { Webhook, WebhookId } from '../webhooks/webhook.ts'

/** A delivery with its hold-off group. */
export type HeldDelivery = Delivery & { readonly group: string | undefined }

export interface LedgerWebhook {
  webhook: Webhook
  readonly secret: string
  /** By the number of the notice, in ascending order. */
  readonly deliveries: Map<number, HeldDelivery>
  owner: string | undefined
  leaseUntil: Date
  retryAt: Date
}

/** The notices and webhooks of one store, which a publication reads and changes together. */
export interface WebhookLedger {
  readonly webhooks: Map<WebhookId, LedgerWebhook>
  /** By their ids, in the order of their numbers. */
  readonly notices: Map<string, StoredNotice>
}

export const createWebhookLedger = (): WebhookLedger => ({ webhooks: new Map(), notices: new Map() })
