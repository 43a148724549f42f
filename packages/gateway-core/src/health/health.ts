import type { ApiKeyId } from '../api-keys/api-key.ts'
import type { ApiKeyRepository } from '../api-keys/api-key-repository.ts'
import type { Upstream } from '../providers/upstream.ts'
import type { RateLimiter } from '../rate-limits/rate-limiter.ts'
import type { SearchEngineState } from '../search/search.ts'

/** `unhealthy`: the gateway can't do its work. `degraded`: a part of it. */
export type HealthStatus = 'healthy' | 'degraded' | 'unhealthy'

/** What the gateway reaches, at one time. `status` is the worst that matters to requests. */
export interface Health {
  readonly status: HealthStatus
  readonly version: string
  readonly checkedAt: Date
  readonly store: HealthStatus
  readonly limiter: HealthStatus
  /** By the ids of the providers. */
  readonly providers: Readonly<Record<string, HealthStatus>>
  /** By the ids of the search engines. */
  readonly search: Readonly<Record<string, HealthStatus>>
  /** By the names of the host's own checks. */
  readonly checks: Readonly<Record<string, HealthStatus>>
}

/** What `/health` reports beside the gateway's own parts. */
export interface HealthOptions {
  /**
   * What else requests depend on, such as a directory that is written to. One that rejects, or takes longer than 2
   * seconds, is `unhealthy` and makes the whole `degraded`. Each is called at most once a second. @default none
   */
  readonly checks?: Readonly<Record<string, () => Promise<unknown>>>
}

export interface HealthDependencies {
  readonly version: string
  readonly apiKeys: ApiKeyRepository
  readonly limiter: RateLimiter
  readonly upstreams: ReadonlyMap<string, Upstream>
  readonly searchEngines: () => readonly SearchEngineState[]
  readonly now: () => Date
}

/** How long a store may take before it counts as down. */
const STORE_TIMEOUT_MS = 2_000

/** However often it is asked, the stores are asked once in this time. */
const FRESH_MS = 1_000

const HEALTH_CHECK = 'health-check' as ApiKeyId // an id that no key has

/** More than are counted in a minute: one that is refused writes nothing. */
const HEALTH_CHECK_LIMIT = 1_000_000

export function createHealthCheck(options: HealthOptions, dependencies: HealthDependencies): () => Promise<Health> {
  let last: { readonly at: number; readonly health: Promise<Health> } | undefined
  return () => {
    const now = performance.now()
    if (!last || now - last.at > FRESH_MS) last = { at: now, health: check(options, dependencies) }
    return last.health
  }
}

async function check(options: HealthOptions, dependencies: HealthDependencies): Promise<Health> {
  const { version, apiKeys, limiter, upstreams, searchEngines, now } = dependencies
  const [store, limits, ...own] = await Promise.all([
    answers(() => apiKeys.proveWritable()),
    // One that is full or read-only answers reads still.
    answers(async () => limiter.admit(HEALTH_CHECK, HEALTH_CHECK_LIMIT, now())),
    ...Object.entries(options.checks ?? {}).map(async ([name, ask]) => [name, await answers(ask)] as const),
  ])
  const checks = Object.fromEntries(own)
  const providers: Record<string, HealthStatus> = {}
  for (const [id, { circuits, models }] of upstreams) {
    const isPartlyAway = circuits.isAnyOpen || models.failing
    providers[id] = circuits.way !== 'closed' ? 'unhealthy' : isPartlyAway ? 'degraded' : 'healthy'
  }
  const search: Record<string, HealthStatus> = {}
  for (const { id, circuit } of searchEngines()) search[id] = circuit === 'closed' ? 'healthy' : 'unhealthy'
  const parts = [limits, ...Object.values(providers), ...Object.values(search), ...Object.values(checks)]
  const degraded = parts.some((status) => status !== 'healthy')
  const status = store === 'unhealthy' ? store : degraded ? 'degraded' : 'healthy'
  return { status, version, checkedAt: now(), store, limiter: limits, providers, search, checks }
}

async function answers(ask: () => Promise<unknown>): Promise<HealthStatus> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<HealthStatus>((resolve) => {
    timer = setTimeout(() => resolve('unhealthy'), STORE_TIMEOUT_MS)
  })
  const answer = (async () => ask())().then(
    (): HealthStatus => 'healthy',
    (): HealthStatus => 'unhealthy',
  )
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
