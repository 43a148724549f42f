import type { Tagged } from 'type-fest'
import { defineFields } from '../query/field-catalogue.ts'
import type { Principal } from '../quota-rules/quota-target.ts'

/** A UUID unless the host supplies its own ids. */
export type SelfTokenId = Tagged<string, 'SelfTokenId'>

/** A token with which one user of the file systems reads the own quotas. Only a hash of its secret is stored. */
export interface SelfToken {
  readonly uuid: SelfTokenId
  /** The user, as quota rules name one. */
  readonly user: Principal
  readonly createdAt: Date
  /** From then on it admits no one, and it is removed within a minute. */
  readonly expiresAt: Date
}

/** The types of the fields of a token, and how they are read. */
export const selfTokenFields = defineFields<SelfToken>()(
  {
    uuid: { type: 'uuid', read: ({ uuid }) => uuid },
    userName: { type: 'string', read: ({ user }) => ('name' in user ? user.name : undefined) },
    userId: { type: 'string', read: ({ user }) => ('id' in user ? user.id : undefined) },
    createdAt: { type: 'date', read: ({ createdAt }) => createdAt.getTime() },
    expiresAt: { type: 'date', read: ({ expiresAt }) => expiresAt.getTime() },
  },
  ['uuid'],
)

/** The fields that queries and orders of tokens can name. */
export type SelfTokenField = keyof typeof selfTokenFields.fields

/** Returns the user that a text names: by the id if it is a number, without leading zeros, by the name otherwise. */
export const userOfText = (text: string): Principal =>
  /^\d+$/.test(text) ? { id: text.replace(/^0+(?=\d)/, '') } : { name: text }

/** Returns the text of which {@link userOfText} makes an equal user. */
export const textOfUser = (user: Principal): string => ('id' in user ? user.id : user.name)
