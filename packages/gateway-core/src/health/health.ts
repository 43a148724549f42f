import type { ApiKeyId } from '../api-keys/api-key.ts'
import type { ApiKeyRepository } from '../api-keys/api-key-repository.ts'
import type { Upstream } from '../providers/upstream.ts'
import type { RateLimiter } from '../rate-limits/rate-limiter.ts'
import type { SearchEngineState } from '../search/search.ts'

/** `unhealthy`: the part does not work. `degraded`: it works partly. */
export type HealthStatus = 'healthy' | 'degraded' | 'unhealthy'

/**
 * The health of the gateway and its dependencies at one time. `status` is `unhealthy` where the store of keys fails, and
 * `degraded` where any other part is not `healthy`.
 */
export interface Health {
  readonly status: HealthStatus
  readonly version: string
  readonly checkedAt: Date
  readonly store: HealthStatus
  readonly limiter: HealthStatus
  /**
   * By the ids of the providers. `unhealthy` where the circuit of the connection is not closed. `degraded` where that
   * of a model is not closed, or the last load of the models has failed.
   */
  readonly providers: Readonly<Record<string, HealthStatus>>
  /** By the ids of the search engines. `unhealthy` where the circuit is not closed. */
  readonly search: Readonly<Record<string, HealthStatus>>
  /** By the names of the host's own checks. */
  readonly checks: Readonly<Record<string, HealthStatus>>
}

/** Adds checks of the host to the health report. */
export interface HealthOptions {
  /**
   * Checks of other dependencies, such as a writable directory. A check that rejects, or takes longer than 2 seconds, is
   * `unhealthy` and makes the gateway `degraded`. Each is called at most once a second. @default none
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
  /** Receives the errors of the store of keys. */
  readonly onStoreFailure: (error: unknown) => void
}

/** How long a check may take before it counts as failed. */
const STORE_TIMEOUT_MS = 2_000

/** How long a report is reused. */
const FRESH_MS = 1_000

const HEALTH_CHECK = 'health-check' as ApiKeyId // an id that no key has

/** Never reached in a minute, because a refused admission does not test the write. */
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
  const { version, apiKeys, limiter, upstreams, searchEngines, now, onStoreFailure } = dependencies
  const [store, limits, ...own] = await Promise.all([
    statusOf(() => apiKeys.proveWritable(), onStoreFailure),
    // A write, because a full or read-only store still answers reads.
    statusOf(async () => limiter.admit(HEALTH_CHECK, HEALTH_CHECK_LIMIT, now())),
    ...Object.entries(options.checks ?? {}).map(async ([name, probe]) => [name, await statusOf(probe)] as const),
  ])
  const checks = Object.fromEntries(own)
  const providers: Record<string, HealthStatus> = {}
  for (const [id, { circuits, models }] of upstreams) {
    const isPartlyDown = circuits.isAnyOpen || models.failing
    providers[id] = circuits.connection !== 'closed' ? 'unhealthy' : isPartlyDown ? 'degraded' : 'healthy'
  }
  const search: Record<string, HealthStatus> = {}
  for (const { id, circuit } of searchEngines()) search[id] = circuit === 'closed' ? 'healthy' : 'unhealthy'
  const parts = [limits, ...Object.values(providers), ...Object.values(search), ...Object.values(checks)]
  const degraded = parts.some((status) => status !== 'healthy')
  const status = store === 'unhealthy' ? store : degraded ? 'degraded' : 'healthy'
  return { status, version, checkedAt: now(), store, limiter: limits, providers, search, checks }
}

async function statusOf(
  probe: () => Promise<unknown>,
  onFailure: (error: unknown) => void = () => undefined,
): Promise<HealthStatus> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<HealthStatus>((resolve) => {
    timer = setTimeout(() => resolve('unhealthy'), STORE_TIMEOUT_MS)
  })
  const answer = (async () => probe())().then(
    (): HealthStatus => 'healthy',
    (error): HealthStatus => {
      onFailure(error)
      return 'unhealthy'
    },
  )
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
