import { err, errAsync, ok, type Result, ResultAsync } from 'neverthrow'
import type { NoticeKind } from '../notices/notice.ts'
import type { Page, PageRequest } from '../query/page.ts'
import type { Query } from '../query/query.ts'
import { urlProblem } from './check-url.ts'
import type { Delivery, DeliveryField } from './delivery.ts'
import { isSecret, newSecret } from './secrets.ts'
import { type SendOptions, type SendResult, sendNotice } from './send-notice.ts'
import { type Webhook, type WebhookChange, type WebhookField, type WebhookId, webhookKinds } from './webhook.ts'
import type { WebhookRepository } from './webhook-repository.ts'

/** A storage has no more webhooks than these. */
export const MAXIMUM_WEBHOOKS = 100

/** Why an operation on a webhook failed. */
export type WebhookError =
  | { readonly type: 'webhook-not-found'; readonly webhook: string }
  | { readonly type: 'too-many-webhooks'; readonly maximum: number }
  /** `reason` is a clause. */
  | { readonly type: 'invalid-webhook-url'; readonly reason: string }
  /** The secret is not `whsec_` with the Base64 of 16 to 64 bytes. */
  | { readonly type: 'invalid-webhook-secret' }
  | { readonly type: 'delivery-not-found'; readonly webhook: string; readonly delivery: number }

/** The receivers of notices over HTTP. */
export interface Webhooks {
  /** Adds a webhook. No later call returns its secret. */
  create(request: CreateWebhook): ResultAsync<CreatedWebhook, WebhookError>
  find(webhook: string): ResultAsync<Webhook, WebhookError>
  list(request: PageRequest<WebhookField>): Promise<Page<Webhook>>
  count(query: Query<WebhookField>): Promise<number>
  change(webhook: string, change: WebhookChange): ResultAsync<Webhook, WebhookError>
  /** Deletes a webhook with its deliveries. */
  delete(webhook: string): ResultAsync<void, WebhookError>
  /** Sends a notice of the kind `test` now, once, also where the webhook is not enabled. Waits for at most 10 seconds. */
  test(webhook: string): ResultAsync<SendResult, WebhookError>
  /** Returns one page of the deliveries that wait, and of those that were given up. */
  listDeliveries(webhook: string, request: PageRequest<DeliveryField>): Promise<Page<Delivery>>
  countDeliveries(webhook: string, query: Query<DeliveryField>): Promise<number>
  /** Delivers a notice again, from the first try on, by its number. */
  retry(webhook: string, noticeNumber: number): ResultAsync<void, WebhookError>
}

/** A new webhook. */
export interface CreateWebhook {
  /** At most 255 characters. @default no name */
  readonly name?: string
  /** An `http` or `https` URL of at most 2,048 characters, without credentials and a fragment. */
  readonly url: string
  /** What it receives. @default everything except tests */
  readonly kinds?: readonly NoticeKind[]
  /** The UUIDs of the volumes whose notices it receives, at most 1,000. @default all */
  readonly volumes?: readonly string[]
  /** Whether notices are delivered to it. @default true */
  readonly enabled?: boolean
  /** The time for which notices of one limit are collected to the latest, from 0 to 86,400 seconds. @default 0 */
  readonly holdoffSeconds?: number
  /** `whsec_` and the Base64 of 16 to 64 bytes. @default 32 random bytes */
  readonly secret?: string
}

/** A new webhook, with its secret if that was made for it. */
export interface CreatedWebhook {
  readonly webhook: Webhook
  readonly secret?: string
}

export interface WebhooksOptions extends SendOptions {
  readonly repository: WebhookRepository
  readonly newId: () => string
  /** Looks for deliveries now. */
  readonly wake: () => void
  /** Aborts when the storage closes. */
  readonly closing: AbortSignal
}

export function createWebhooks(options: WebhooksOptions): Webhooks {
  const { repository, newId, now, wake, closing } = options
  const notFound = (webhook: string) => err({ type: 'webhook-not-found', webhook } as const)
  // An id of a client is a text, and is looked up unchecked.
  const found = <Value>(webhook: string, look: (uuid: WebhookId) => Promise<Value | undefined>) =>
    ResultAsync.fromSafePromise(look(webhook as WebhookId)).andThen((value) =>
      value === undefined ? notFound(webhook) : ok(value),
    )

  async function create({ secret: given, ...request }: CreateWebhook): Promise<Result<CreatedWebhook, WebhookError>> {
    const reason = urlProblem(request.url)
    if (reason !== undefined) return err({ type: 'invalid-webhook-url', reason } as const)
    if (given !== undefined && !isSecret(given)) return err({ type: 'invalid-webhook-secret' } as const)
    const secret = given ?? newSecret()
    const { name, url, kinds = webhookKinds, volumes = [], enabled = true, holdoffSeconds = 0 } = request
    const webhook: Webhook = {
      uuid: newId() as WebhookId, // ids are opaque texts
      ...(name !== undefined && { name }),
      url,
      kinds,
      volumes,
      enabled,
      holdoffSeconds,
      createdAt: now(),
    }
    if ((await repository.add(webhook, secret, MAXIMUM_WEBHOOKS)) === 'too-many') {
      return err({ type: 'too-many-webhooks', maximum: MAXIMUM_WEBHOOKS } as const)
    }
    return ok({ webhook, ...(given === undefined && { secret }) })
  }

  async function test(uuid: string): Promise<Result<SendResult, WebhookError>> {
    const [webhook, secret] = await Promise.all([
      repository.find(uuid as WebhookId), // an id of a client
      repository.secretOf(uuid as WebhookId),
    ])
    if (!webhook || secret === undefined) return notFound(uuid)
    const notice = { id: `test-${newId()}`, kind: 'test', at: now() } as const
    return ok(await sendNotice(options, { url: webhook.url, secret, notice, signal: closing }))
  }

  return {
    create: (request) => new ResultAsync(create(request)),
    find: (webhook) => found(webhook, repository.find),
    list: (request) => repository.list(request),
    count: (query) => repository.count(query),
    change: (webhook, change) => {
      const reason = change.url === undefined ? undefined : urlProblem(change.url)
      if (reason !== undefined) return errAsync({ type: 'invalid-webhook-url', reason } as const)
      return found(webhook, (uuid) => repository.change(uuid, change)).map((changed) => {
        wake()
        return changed
      })
    },
    delete: (webhook) =>
      found(webhook, async (uuid) => (await repository.remove(uuid)) || undefined).map(() => undefined),
    test: (webhook) => new ResultAsync(test(webhook)),
    listDeliveries: (webhook, request) => repository.listDeliveries(webhook as WebhookId, request), // an id of a client
    countDeliveries: (webhook, query) => repository.countDeliveries(webhook as WebhookId, query),
    retry: (webhook, noticeNumber) =>
      ResultAsync.fromSafePromise(repository.retry(webhook as WebhookId, noticeNumber, now())).andThen((exists) => {
        if (!exists) return err({ type: 'delivery-not-found', webhook, delivery: noticeNumber } as const)
        wake()
        return ok(undefined)
      }),
  }
}
