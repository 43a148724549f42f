import type { Tagged } from 'type-fest'
import type { NodeReference } from '../nodes/storage-node.ts'
import { defineFields } from '../query/field-catalogue.ts'

/** A UUID unless the host supplies its own ids. */
export type CloneTokenId = Tagged<string, 'CloneTokenId'>

/** A reservation of part of a node's clone split load. It no longer exists once it expires. */
export interface CloneToken {
  readonly node: NodeReference
  readonly uuid: CloneTokenId
  /** The rest of the reservation, in bytes. */
  readonly reserveSize: number
  /** The lifetime that was requested last, in seconds. */
  readonly lifetimeSeconds: number
  readonly expiresAt: Date
  /** The id of the user of the host that created it. Absent for tokens of the admin, and of the host itself. */
  readonly ownerId?: string
}

/** The types of the fields of a clone token, and how they are read. */
export const cloneTokenFields = defineFields<CloneToken>()(
  {
    uuid: { type: 'uuid', read: ({ uuid }) => uuid },
    nodeUuid: { type: 'uuid', read: ({ node }) => node.uuid },
    nodeName: { type: 'string', read: ({ node }) => node.name },
    reserveSize: { type: 'integer', read: ({ reserveSize }) => reserveSize },
    lifetimeSeconds: { type: 'integer', read: ({ lifetimeSeconds }) => lifetimeSeconds },
    expiresAt: { type: 'date', read: ({ expiresAt }) => expiresAt.getTime() },
    ownerId: { type: 'string', read: ({ ownerId }) => ownerId },
  },
  ['nodeUuid', 'uuid'],
)

/** The fields that queries and orders of clone tokens can name. */
export type CloneTokenField = keyof typeof cloneTokenFields.fields
