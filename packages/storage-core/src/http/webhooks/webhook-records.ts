import type { Storage } from '../../create-storage.ts'
import type { NoticeKind } from '../../notices/notice.ts'
import { type Webhook, type WebhookField, webhookFields, webhookKinds } from '../../webhooks/webhook.ts'
import type { Caller } from '../access/caller.ts'
import type { WireRecord } from '../collections/field-selection.ts'
import { asResult, type RecordSource } from '../collections/list-records.ts'
import { kindToWire } from '../notices/notice-records.ts'

export const WEBHOOKS_PATH = '/api/support/webhooks'

export const webhookPath = ({ uuid }: Pick<Webhook, 'uuid'>): string => `${WEBHOOKS_PATH}/${uuid}`

/** The kinds that webhooks can receive, by their names on the wire. */
export const webhookKindNames: readonly string[] = webhookKinds.map(kindToWire)

/** Returns the kinds with these names, each once. */
export const kindsOf = (names: readonly string[]): readonly NoticeKind[] =>
  webhookKinds.filter((kind) => names.includes(kindToWire(kind)))

export function webhookToWire(webhook: Webhook, { links }: Pick<Caller, 'links'>): WireRecord {
  const { uuid, name, url, kinds, volumes, enabled, holdoffSeconds, createdAt } = webhook
  return {
    uuid,
    ...(name !== undefined && { name }),
    url,
    kinds: kinds.map(kindToWire),
    volumes: volumes.map((volume) => ({ uuid: volume })),
    enabled,
    holdoff_seconds: holdoffSeconds,
    create_time: createdAt.toISOString(),
    ...(links && { _links: links(webhookPath(webhook)) }),
  }
}

export const webhookSource = ({ webhooks }: Storage): RecordSource<Webhook, WebhookField> => ({
  records: {
    path: WEBHOOKS_PATH,
    catalogue: webhookFields,
    fields: {
      uuid: { field: 'uuid' },
      name: { field: 'name' },
      url: { field: 'url' },
      enabled: { field: 'enabled' },
      holdoff_seconds: { field: 'holdoffSeconds' },
      create_time: { field: 'createdAt' },
    },
    computed: new Set(['kinds', 'volumes']),
  },
  list: (request) => asResult(webhooks.list(request)),
  count: (query) => asResult(webhooks.count(query)),
  toWire: webhookToWire,
  belonging: { to: 'storage', key: 'uuid' },
})
