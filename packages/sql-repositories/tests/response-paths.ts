import type { ConversationId, ResponseId, ResponseOwner, StoredResponse } from '@trivium/gateway-core/ports'
import type { Database } from '../src/database.ts'
import { sqlGatewayRepositories } from '../src/gateway/sql-gateway-repositories.ts'
import { timeAfter } from './filled-tables.ts'

type Paths = Readonly<Record<string, (database: Database) => Promise<unknown>>>

// Ids and owners are opaque to repositories.
const id = (index: number) => `resp_${index}` as ResponseId
const conversationId = (index: number) => `conv_${index}` as ConversationId
const owner = (index: number) => `key:${index}` as ResponseOwner
const now = new Date(timeAfter(0))
const expiresAt = new Date(timeAfter(90_000))

const responsesOf = (database: Database) => {
  const { responses } = sqlGatewayRepositories(database)
  if (!responses) throw new Error('The database stores no responses.')
  return responses
}

const conversationsOf = (database: Database) => {
  const { conversations } = sqlGatewayRepositories(database)
  if (!conversations) throw new Error('The database stores no conversations.')
  return conversations
}

const aResponse: StoredResponse = {
  id: id(99_999),
  owner: owner(5),
  createdAt: now,
  expiresAt,
  status: 'completed',
  response: '{}',
  input: '[]',
  bytes: 4,
  background: false,
}

const ending = { status: 'completed', response: '{}', bytes: 4, outputIds: ['msg_new'] } as const

/** What the gateway does with stored responses. */
export const responsePaths: Paths = {
  'a response to store, which removes the oldest ones': (database) =>
    responsesOf(database).save(aResponse, ['msg_other'], { maxResponses: 20, maxBytes: 1_000 }),
  'a response by its id': (database) => responsesOf(database).find(id(60), owner(10), now),
  'a response of any owner': (database) => responsesOf(database).find(id(60), undefined, now),
  'a lease to renew': (database) => responsesOf(database).renewLease(id(1_400), expiresAt),
  'a response to end': (database) => responsesOf(database).finish(id(1_400), ending),
  'a response to remove': (database) => responsesOf(database).remove(id(61), owner(11), now),
  'expired responses to remove': (database) => responsesOf(database).removeExpired(new Date(timeAfter(86_403)), now),
}

/** Sorts, but only the responses that have one item. */
export const outputPaths: Paths = {
  'a response by an item of its output': (database) => responsesOf(database).findByOutput('msg_60', owner(10), now),
}

/** What the gateway does with conversations. */
export const conversationPaths: Paths = {
  'a conversation to create, which removes the oldest ones': (database) =>
    conversationsOf(database).create(
      { id: conversationId(99_999), owner: owner(5), createdAt: now, expiresAt, metadata: '{}' },
      20,
    ),
  'a conversation by its id': (database) => conversationsOf(database).find(conversationId(60), owner(10), now),
  'a conversation to change': (database) =>
    conversationsOf(database).changeMetadata(conversationId(60), owner(10), '{}', now),
  'items of a conversation to add': (database) =>
    conversationsOf(database).append(conversationId(60), [{ id: 'msg_new', item: '{}' }], {
      now,
      expiresAt,
      maxItems: 100,
      maxLength: 1_000,
      maxOwnerLength: 10_000,
    }),
  'items of a conversation after one': (database) =>
    conversationsOf(database).listItems(conversationId(60), { after: 'msg_180', descending: true, limit: 5 }),
  'an item of a conversation': (database) => conversationsOf(database).findItem(conversationId(60), 'msg_180'),
  'an item of a conversation to remove': (database) =>
    conversationsOf(database).removeItem(conversationId(60), 'msg_181'),
  'a conversation to remove': (database) => conversationsOf(database).remove(conversationId(61), owner(11), now),
  'expired conversations to remove': (database) =>
    conversationsOf(database).removeExpired(new Date(timeAfter(86_403)), now),
}
