import { type NoticeKind, noticeKinds } from '../notices/notice.ts'
import { defineFields } from '../query/field-catalogue.ts'

/** Whether a delivery is tried, or was given up. */
export const deliveryStates = ['pending', 'dead'] as const

export type DeliveryState = (typeof deliveryStates)[number]

/** A notice that a webhook has not received yet. */
export interface Delivery {
  /** The number of the notice. It identifies the delivery among those of its webhook. */
  readonly noticeNumber: number
  readonly noticeId: string
  readonly kind: NoticeKind
  readonly state: DeliveryState
  /** When the first try is made, unless earlier deliveries of the webhook fail. */
  readonly dueAt: Date
  readonly tries: number
  /** The time of the last try. */
  readonly triedAt?: Date
  /** The status of the last answer. Absent where the receiver gave none. */
  readonly status?: number
  /** Why the last try failed: a sentence. */
  readonly failure?: string
}

/** The types of the fields of a delivery, and how they are read. */
export const deliveryFields = defineFields<Delivery>()(
  {
    noticeNumber: { type: 'integer', read: ({ noticeNumber }) => noticeNumber },
    noticeId: { type: 'string', read: ({ noticeId }) => noticeId },
    kind: { type: 'enum', values: noticeKinds, read: ({ kind }) => kind },
    state: { type: 'enum', values: deliveryStates, read: ({ state }) => state },
    dueAt: { type: 'date', read: ({ dueAt }) => dueAt.getTime() },
    tries: { type: 'integer', read: ({ tries }) => tries },
    triedAt: { type: 'date', read: ({ triedAt }) => triedAt?.getTime() },
    status: { type: 'integer', read: ({ status }) => status },
    failure: { type: 'string', read: ({ failure }) => failure },
  },
  ['noticeNumber'],
)

/** The fields that queries and orders of deliveries can name. */
export type DeliveryField = keyof typeof deliveryFields.fields
