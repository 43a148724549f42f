import type { Storage } from '../../create-storage.ts'
import { type SelfToken, type SelfTokenField, selfTokenFields } from '../../self-tokens/self-token.ts'
import type { Caller } from '../access/caller.ts'
import type { WireRecord } from '../collections/field-selection.ts'
import { asResult, type RecordSource } from '../collections/list-records.ts'

export const SELF_TOKENS_PATH = '/api/self/tokens'

export const selfTokenPath = ({ uuid }: Pick<SelfToken, 'uuid'>): string => `${SELF_TOKENS_PATH}/${uuid}`

export function selfTokenToWire(token: SelfToken, { links }: Pick<Caller, 'links'>): WireRecord {
  const { uuid, user, createdAt, expiresAt } = token
  return {
    uuid,
    user,
    create_time: createdAt.toISOString(),
    expiry_time: expiresAt.toISOString(),
    ...(links && { _links: links(selfTokenPath(token)) }),
  }
}

export const selfTokenSource = ({ selfTokens }: Storage): RecordSource<SelfToken, SelfTokenField> => ({
  records: {
    path: SELF_TOKENS_PATH,
    catalogue: selfTokenFields,
    fields: {
      uuid: { field: 'uuid' },
      'user.name': { field: 'userName', idField: 'userId' },
      'user.id': { field: 'userId' },
      create_time: { field: 'createdAt' },
      expiry_time: { field: 'expiresAt' },
    },
  },
  list: (request) => asResult(selfTokens.list(request)),
  count: (query) => asResult(selfTokens.count(query)),
  toWire: selfTokenToWire,
  belonging: { to: 'storage', key: 'uuid' },
})
