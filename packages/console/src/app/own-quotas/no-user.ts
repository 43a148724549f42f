import { RefusalError } from '@trivium/http-client'

/** Why the server knows no user: `refused` by a 401, or the caller is the `admin`. `undefined` for any other error. */
export function noUser(error: unknown): 'refused' | 'admin' | undefined {
  if (!(error instanceof RefusalError)) return undefined
  if (error.status === 401) return 'refused'
  return error.status === 400 && targetOf(error.body) === 'user' ? 'admin' : undefined
}

function targetOf(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('error' in body)) return undefined
  const { error } = body
  return typeof error === 'object' && error !== null && 'target' in error ? error.target : undefined
}
