import { HastyRequest } from './call-lifetime.ts'
import { type Circuit, type CircuitOptions, createCircuit } from './circuit.ts'
import { ProviderFailure } from './provider-error.ts'
import { isRequestsFault } from './retries.ts'

/** The models whose state is remembered; the one that was asked first is forgotten first. */
const MOST_MODELS = 1000

/** What has been learnt of an upstream: one circuit for the way to it, and one for each of its models. */
export interface ModelCircuits {
  /** The way to the upstream: nothing gets through where it is open. */
  readonly way: Circuit['state']
  /** Whether a model is left alone. */
  readonly isAnyOpen: boolean
  of(model: string): ModelCircuit
}

/** Open where the model's own or the way's is. */
export interface ModelCircuit extends Pick<Circuit, 'closedUntil'> {
  /** As {@link Circuit.run}. Failures of one caller alone do not count while the model answers another one. */
  run<T>(caller: string, task: () => Promise<T>): Promise<T>
}

/** So long a success says that it is not the model that fails. */
const TRUST_MS = 60_000

/** Callers that are remembered of a model: of those that succeeded, and of those that failed since they last did. */
const MOST_CALLERS = 100

/** Who succeeded with a model within the last minute, and who has failed since. */
class Outcomes {
  readonly #succeeded = new Map<string, number>()
  readonly #failed = new Map<string, number>()

  succeeded(caller: string): void {
    this.#failed.delete(caller)
    remember(this.#succeeded, caller)
  }

  /** Whether a failure is one that only this caller has: another one succeeded, and no other failed. */
  isCallersOwn(caller: string): boolean {
    remember(this.#failed, caller)
    return !hasOther(this.#failed, caller) && hasOther(this.#succeeded, caller)
  }
}

function remember(callers: Map<string, number>, caller: string): void {
  callers.delete(caller)
  callers.set(caller, performance.now())
  if (callers.size > MOST_CALLERS) callers.delete(callers.keys().next().value ?? caller)
}

const hasOther = (callers: ReadonlyMap<string, number>, caller: string): boolean =>
  [...callers].some(([other, at]) => other !== caller && performance.now() - at < TRUST_MS)

/** Carries a failure through a circuit that is not to count it. */
class CallersOwnFailure extends Error {
  constructor(cause: unknown) {
    super('', { cause })
  }
}

/** @param onChanged without a model where it is the way that opened or closed */
export function createModelCircuits(
  options: CircuitOptions,
  onChanged: (state: 'opened' | 'closed', model?: string) => void,
): ModelCircuits {
  const models = new Map<string, ModelCircuit & Pick<Circuit, 'state'>>()
  const way = createCircuit(options, {
    isFailure: (thrown) => isUpstreamsFault(thrown) && isUnreachable(thrown),
    onOpened: () => onChanged('opened'),
    onClosed: () => onChanged('closed'),
  })

  function create(model: string) {
    const record = new Outcomes()
    const own = createCircuit(options, {
      isFailure: (thrown) => isUpstreamsFault(thrown) && !isUnreachable(thrown),
      onOpened: () => onChanged('opened', model),
      onClosed: () => onChanged('closed', model),
    })
    return {
      get state() {
        return own.state
      },
      get closedUntil() {
        return way.closedUntil ?? own.closedUntil
      },
      async run<T>(caller: string, task: () => Promise<T>): Promise<T> {
        try {
          const answer = await way.run(() => own.run(() => task().catch(throwMarked(own, record, caller))))
          record.succeeded(caller)
          return answer
        } catch (thrown) {
          throw thrown instanceof CallersOwnFailure ? thrown.cause : thrown
        }
      },
    }
  }

  return {
    get way() {
      return way.state
    },
    get isAnyOpen() {
      return [...models.values()].some(({ state }) => state !== 'closed')
    },
    of(model) {
      const known = models.get(model)
      if (known) return known
      const circuit = create(model)
      models.set(model, circuit)
      if (models.size > MOST_MODELS) models.delete(models.keys().next().value ?? model)
      return circuit
    },
  }
}

/** While a circuit that was open lets one call try, that call decides, regardless of its caller. */
const throwMarked = (circuit: Circuit, record: Outcomes, caller: string) => (thrown: unknown) => {
  const isCounted = isUpstreamsFault(thrown) && !isUnreachable(thrown) && circuit.state === 'closed'
  throw isCounted && record.isCallersOwn(caller) ? new CallersOwnFailure(thrown) : thrown
}

/**
 * Neither a bad request nor a limit says that an upstream is broken; a client that left, or wants its answer sooner than
 * the gateway would wait for it, says nothing.
 */
function isUpstreamsFault(thrown: unknown): boolean | undefined {
  if (thrown instanceof CallersOwnFailure) return false
  if (thrown instanceof HastyRequest) return undefined
  if (!ProviderFailure.is(thrown)) return true
  const { error } = thrown
  if (error.type === 'cancelled') return undefined
  return !isRequestsFault(error) && (error.type !== 'refused' || error.status >= 500)
}

const isUnreachable = (thrown: unknown): boolean =>
  ProviderFailure.is(thrown) &&
  (thrown.error.type === 'unreachable' || (thrown.error.type === 'timed-out' && thrown.error.phase === 'connect'))
