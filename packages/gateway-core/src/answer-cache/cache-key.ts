import type { Caller } from '../caller.ts'
import type { JsonObject } from '../dialects/dialect.ts'
import type { ModelTarget } from '../models/model-route.ts'
import { responseOwnerOf } from '../responses/stored-response.ts'
import type { CacheScope } from './answer-cache-options.ts'
import { canonicalForm } from './canonical-form.ts'

/** What an answer depends on. */
export interface CacheKeyParts {
  /** The form of the request and its answer. */
  readonly operation: CachedOperation
  /** As {@link scopeOf} returns it. */
  readonly scope: string
  /** The models that the request leads to, so that a changed route has other answers. */
  readonly targets: readonly ModelTarget[]
  /** Those that an upstream may get. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: JsonObject
}

/** The requests whose answers are cached. */
export type CachedOperation = 'chat' | 'responses' | 'messages' | 'embeddings'

/** Members of the top level that do not change the answer. */
const irrelevant: ReadonlySet<string> = new Set([
  'stream',
  'stream_options',
  'user',
  'safety_identifier',
  'metadata',
  'timeout',
  'prompt_cache_key',
])

/** Replaced where the stored form of answers changes. */
const VERSION = 1

const encoder = new TextEncoder()

/** Returns the SHA-256 of a request's canonical form in hexadecimal; `undefined` where it has no canonical form. */
export async function cacheKey({ targets, body, ...parts }: CacheKeyParts): Promise<string | undefined> {
  const form = await canonicalForm({
    ...parts,
    version: VERSION,
    targets: targets.map(({ upstream, model }) => `${upstream.provider.id}/${model}`).sort(),
    body: Object.fromEntries(Object.entries(body).filter(([name]) => !irrelevant.has(name))),
  })
  if (form === undefined) return undefined
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(form)))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Returns a name of those who share answers with a caller. */
export function scopeOf(caller: Caller, scope: CacheScope): string {
  if (scope === 'all') return 'all'
  const team = scope === 'team' && caller.type === 'key' ? caller.key.teamId : undefined
  return team === undefined ? responseOwnerOf(caller) : `team:${team}`
}
