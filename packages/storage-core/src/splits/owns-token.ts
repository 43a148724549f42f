import type { StorageRepositories } from '../storage-repositories.ts'
import type { Split } from './split.ts'

/** Whether a split may charge its token: it has none, any may be charged, or it is one of that user. */
export async function ownsToken(
  { cloneTokens }: Pick<StorageRepositories, 'cloneTokens'>,
  { token, node }: Pick<Split, 'token' | 'node'>,
  ownerId: string | undefined,
  now: Date,
): Promise<boolean> {
  if (token === undefined || ownerId === undefined) return true
  return (await cloneTokens.find(node.uuid, token, now))?.ownerId === ownerId
}
