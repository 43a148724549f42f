import type { Delivery, Webhook } from '@trivium/storage-core'
import { type DeliveryField, deliveryFields } from '@trivium/storage-core/ports'
import type { RecordSource } from './queries/record-source.ts'
import type { DeliveryRow } from './storage-tables.ts'

export const deliverySource: RecordSource<Delivery, DeliveryField, DeliveryRow> = {
  table: 'storage_deliveries',
  catalogue: deliveryFields,
  optional: ['triedAt', 'status', 'failure'],
  fromRow: deliveryFromRow,
}

export function deliveryFromRow(row: DeliveryRow): Delivery {
  return {
    noticeNumber: row.notice_number,
    noticeId: row.notice_id,
    // Kinds and states are stored as they were in the delivery.
    kind: row.kind as Delivery['kind'],
    state: row.state as Delivery['state'],
    dueAt: new Date(row.due_at),
    tries: row.tries,
    ...(row.tried_at !== null && { triedAt: new Date(row.tried_at) }),
    ...(row.status !== null && { status: row.status }),
    ...(row.failure !== null && { failure: row.failure }),
  }
}

export function parseWebhook(document: string): Webhook {
  const { createdAt, ...webhook } = JSON.parse(document)
  return { ...webhook, createdAt: new Date(createdAt) }
}
