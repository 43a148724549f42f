import { expectOk } from '@trivium/http-client'
import type { StorageClient } from '../../../hooks/use-storage.ts'

const MAX_RECORDS = 500

/** Reads at most 500 clone tokens. */
export const readTokens = async (storage: StorageClient, signal: AbortSignal) =>
  (await expectOk(storage.listCloneTokens({ query: { fields: '*', max_records: MAX_RECORDS }, signal }))).records ?? []

export type Token = Awaited<ReturnType<typeof readTokens>>[number]

/** Names a token for people: the first 8 characters of its id. */
export const tokenName = ({ uuid = '' }: Token): string => uuid.slice(0, 8)
