import type { Storage } from '../../create-storage.ts'
import { type Delivery, type DeliveryField, deliveryFields } from '../../webhooks/delivery.ts'
import type { Webhook } from '../../webhooks/webhook.ts'
import type { WireRecord } from '../collections/field-selection.ts'
import { asResult, type RecordSource } from '../collections/list-records.ts'
import { kindToWire, parseKindFilter } from '../notices/notice-records.ts'
import { webhookPath } from './webhook-records.ts'

function deliveryToWire(delivery: Delivery): WireRecord {
  const { noticeNumber, noticeId, kind, state, dueAt, tries, triedAt, status, failure } = delivery
  return {
    index: noticeNumber,
    event: { id: noticeId, type: kindToWire(kind) },
    state,
    due_time: dueAt.toISOString(),
    tries,
    ...(triedAt && { try_time: triedAt.toISOString() }),
    ...(status !== undefined && { status }),
    ...(failure !== undefined && { message: failure }),
  }
}

export const deliverySource = ({ webhooks }: Storage, webhook: Webhook): RecordSource<Delivery, DeliveryField> => ({
  records: {
    path: `${webhookPath(webhook)}/deliveries`,
    catalogue: deliveryFields,
    fields: {
      index: { field: 'noticeNumber' },
      'event.id': { field: 'noticeId' },
      'event.type': { field: 'kind', parse: parseKindFilter },
      state: { field: 'state' },
      due_time: { field: 'dueAt' },
      tries: { field: 'tries' },
      try_time: { field: 'triedAt' },
      status: { field: 'status' },
      message: { field: 'failure' },
    },
  },
  list: (request) => asResult(webhooks.listDeliveries(webhook.uuid, request)),
  count: (query) => asResult(webhooks.countDeliveries(webhook.uuid, query)),
  toWire: deliveryToWire,
  belonging: { to: 'storage', key: 'noticeNumber' },
})
