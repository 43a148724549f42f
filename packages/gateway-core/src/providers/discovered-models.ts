import type { Provider, ProviderModel } from './provider.ts'

/** How the models of upstreams are learned. */
export interface DiscoveryOptions {
  /** How long a list counts as fresh; then it is asked for again, beside the requests. @default 300 */
  readonly refreshSeconds?: number
  /** How long an upstream that did not tell is left alone. @default 10 */
  readonly retrySeconds?: number
  /** How long an upstream may take to tell. @default 5 */
  readonly timeoutSeconds?: number
}

/** What an upstream says it has. */
export interface DiscoveredModels {
  /** The last list that came, by id; `undefined` while none ever has. Waits for the first, and never rejects. */
  known(): Promise<ReadonlyMap<string, ProviderModel> | undefined>
  /** Asks again for a model that the list does not have, unless it was asked a moment ago. */
  knownWith(model: string): Promise<ReadonlyMap<string, ProviderModel> | undefined>
  /** The list, where it is fresh; `undefined` where somebody has to be asked, or is being asked. */
  readonly fresh: ReadonlyMap<string, ProviderModel> | undefined
  /** Whether the last attempt failed. */
  readonly failing: boolean
  /** Gives up what runs. */
  close(): void
}

export function discoverModels(
  provider: Provider,
  { refreshSeconds = 300, retrySeconds = 10, timeoutSeconds = 5 }: DiscoveryOptions,
): DiscoveredModels {
  let models: ReadonlyMap<string, ProviderModel> | undefined
  let askedAt = Number.NEGATIVE_INFINITY
  let failing = false
  let asking: Promise<void> | undefined
  let controller: AbortController | undefined

  const ask = async () => {
    askedAt = performance.now()
    controller = new AbortController()
    try {
      const list = await within(timeoutSeconds, controller, provider.models({ signal: controller.signal }))
      models = new Map(list.map((model) => [model.id, model]))
      failing = false
    } catch {
      failing = true
    }
    asking = undefined
  }
  const refresh = () => {
    asking ??= ask()
    return asking
  }
  const age = () => (performance.now() - askedAt) / 1000

  return {
    get fresh() {
      return failing || age() >= refreshSeconds ? undefined : models
    },
    get failing() {
      return failing
    },
    async known() {
      const due = age() >= (failing ? retrySeconds : refreshSeconds)
      if (models === undefined && (due || asking)) await refresh()
      else if (due) void refresh()
      return models
    },
    async knownWith(model) {
      if (models?.has(model)) return this.known()
      if (asking || age() >= retrySeconds) await refresh()
      return models
    },
    close: () => controller?.abort(),
  }
}

/** Rejects after the time, or when the controller is aborted from outside. */
function within<T>(seconds: number, controller: AbortController, task: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => controller.abort(new Error('The upstream did not tell its models in time')),
      seconds * 1000,
    )
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true })
    task.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
