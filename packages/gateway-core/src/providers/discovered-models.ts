import { checkRange, MAX_SECONDS, MAX_TIMER_SECONDS } from '../check-range.ts'
import type { Provider, ProviderModel } from './provider.ts'

/** How the models of upstreams are loaded. */
export interface DiscoveryOptions {
  /**
   * How long a list counts as fresh, from 0 to 1,000,000,000. Then it is loaded again in the background.
   *
   * @default 300
   */
  readonly refreshSeconds?: number
  /** The wait after a failed load before the next one, from 0 to 1,000,000,000. @default 10 */
  readonly retrySeconds?: number
  /** How long a load may take, from 0.001 to 2,147,483. @default 5 */
  readonly timeoutSeconds?: number
}

/** The models that an upstream lists. */
export interface DiscoveredModels {
  /** Returns the last list by id, or `undefined` if none was ever loaded. Waits for the first load. Never rejects. */
  current(): Promise<ReadonlyMap<string, ProviderModel> | undefined>
  /** Loads the list again if it does not contain the model, but at most once in `retrySeconds`. */
  currentWith(model: string): Promise<ReadonlyMap<string, ProviderModel> | undefined>
  /** The list if it is fresh, otherwise `undefined`. */
  readonly fresh: ReadonlyMap<string, ProviderModel> | undefined
  /** Whether the last load failed. */
  readonly failing: boolean
  /** Cancels a running load. */
  close(): void
}

export function discoverModels(
  provider: Provider,
  { refreshSeconds = 300, retrySeconds = 10, timeoutSeconds = 5 }: DiscoveryOptions,
): DiscoveredModels {
  checkRange({ 'discovery.refreshSeconds': refreshSeconds, 'discovery.retrySeconds': retrySeconds }, 0, MAX_SECONDS)
  checkRange({ 'discovery.timeoutSeconds': timeoutSeconds }, 0.001, MAX_TIMER_SECONDS)
  let models: ReadonlyMap<string, ProviderModel> | undefined
  let loadStartedAt = Number.NEGATIVE_INFINITY
  let failing = false
  let loading: Promise<void> | undefined
  let controller: AbortController | undefined

  const load = async () => {
    loadStartedAt = performance.now()
    controller = new AbortController()
    try {
      const list = await within(timeoutSeconds, controller, provider.models({ signal: controller.signal }))
      models = new Map(list.map((model) => [model.id, model]))
      failing = false
    } catch {
      failing = true
    }
    loading = undefined
  }
  const refresh = () => {
    loading ??= load()
    return loading
  }
  const age = () => (performance.now() - loadStartedAt) / 1000

  return {
    get fresh() {
      return failing || age() >= refreshSeconds ? undefined : models
    },
    get failing() {
      return failing
    },
    async current() {
      const due = age() >= (failing ? retrySeconds : refreshSeconds)
      if (models === undefined && (due || loading)) await refresh()
      else if (due) void refresh()
      return models
    },
    async currentWith(model) {
      if (models?.has(model)) return this.current()
      if (loading || age() >= retrySeconds) await refresh()
      return models
    },
    close: () => controller?.abort(),
  }
}

/** Rejects after the time, or when the controller is aborted from outside. */
function within<T>(seconds: number, controller: AbortController, task: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => controller.abort(new Error('The upstream did not list its models in time')),
      seconds * 1000,
    )
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true })
    task.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
