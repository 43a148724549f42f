import { expectOk } from '@trivium/http-client'
import type { StorageClient } from '../../../hooks/use-storage.ts'

const MAX_RECORDS = 100

export const readWebhooks = async (storage: StorageClient, signal: AbortSignal) =>
  (await expectOk(storage.listWebhooks({ query: { fields: '*', max_records: `${MAX_RECORDS}` }, signal }))).records ??
  []

export type Webhook = Awaited<ReturnType<typeof readWebhooks>>[number]

/** Reads the first 100 deliveries that were given up. */
export const readDead = async (storage: StorageClient, uuid: string, signal: AbortSignal) =>
  (
    await expectOk(
      storage.listWebhookDeliveries({
        params: { uuid },
        query: { fields: '*', state: 'dead', max_records: `${MAX_RECORDS}` },
        signal,
      }),
    )
  ).records ?? []

/** Names a webhook for people: its name, or the first 8 characters of its id. An address can contain a secret. */
export const webhookName = ({ name = '', uuid = '' }: Pick<Webhook, 'name' | 'uuid'>): string =>
  name === '' ? uuid.slice(0, 8) : name
