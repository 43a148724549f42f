import type { Tagged } from 'type-fest'
import { type Notice, type NoticeKind, noticeKinds } from '../notices/notice.ts'
import { defineFields } from '../query/field-catalogue.ts'

/** A UUID unless the host supplies its own ids. */
export type WebhookId = Tagged<string, 'WebhookId'>

/** The kinds that webhooks can receive. Tests are sent on request. */
export const webhookKinds: readonly NoticeKind[] = noticeKinds.filter((kind) => kind !== 'test')

/** A receiver of notices over HTTP. Its secret is stored with it and is not a member, because answers have none. */
export interface Webhook {
  readonly uuid: WebhookId
  readonly name?: string
  /** An `http` or `https` URL of at most 2,048 characters, without credentials and a fragment. */
  readonly url: string
  readonly kinds: readonly NoticeKind[]
  /** The UUIDs of the volumes whose notices it receives. Empty for all, also those without a volume. */
  readonly volumes: readonly string[]
  /** A webhook that is not enabled gets no new notices. Those that wait stay. */
  readonly enabled: boolean
  /** The time for which notices of one limit are collected to one, in seconds. 0 for no wait. */
  readonly holdoffSeconds: number
  readonly createdAt: Date
}

/** Changes of a webhook. Absent members stay. */
export type WebhookChange = Partial<Omit<Webhook, 'uuid' | 'createdAt'>>

/** The types of the fields of a webhook, and how they are read. */
export const webhookFields = defineFields<Webhook>()(
  {
    uuid: { type: 'uuid', read: ({ uuid }) => uuid },
    name: { type: 'string', read: ({ name }) => name },
    url: { type: 'string', read: ({ url }) => url },
    enabled: { type: 'boolean', read: ({ enabled }) => enabled },
    holdoffSeconds: { type: 'integer', read: ({ holdoffSeconds }) => holdoffSeconds },
    createdAt: { type: 'date', read: ({ createdAt }) => createdAt.getTime() },
  },
  ['uuid'],
)

/** The fields that queries and orders of webhooks can name. */
export type WebhookField = keyof typeof webhookFields.fields

/** Whether a notice is delivered to a webhook. */
export const receives = ({ enabled, kinds, volumes }: Webhook, { kind, volume }: Notice): boolean =>
  enabled && kinds.includes(kind) && (volumes.length === 0 || (volume !== undefined && volumes.includes(volume.uuid)))

const groups: Readonly<Partial<Record<NoticeKind, string>>> = {
  'soft-limit-exceeded': 'soft-limit',
  'soft-limit-normal': 'soft-limit',
  'grace-ended': 'soft-limit',
  'threshold-exceeded': 'threshold',
  'threshold-normal': 'threshold',
  'enforcement-lost': 'enforcement',
  'enforcement-restored': 'enforcement',
}

/**
 * Returns a text that is equal for the states of one limit, threshold or volume, of which a hold-off leaves the latest.
 * `undefined` for notices that are never collected.
 */
export function holdoffGroup(notice: Notice): string | undefined {
  const group = groups[notice.kind]
  if (group === undefined) return undefined
  const { volume, rule, target, principal, limit, percent } = notice
  return JSON.stringify([group, volume?.uuid, rule, target, principal, limit, percent])
}

/** Returns when the delivery of a notice is due that is published now. */
export const dueAt = ({ holdoffSeconds }: Webhook, group: string | undefined, now: Date): Date =>
  group === undefined ? now : new Date(now.getTime() + holdoffSeconds * 1000)
