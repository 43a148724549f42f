import { CallerTimeoutError } from './call-lifetime.ts'
import { type Circuit, type CircuitOptions, createCircuit } from './circuit.ts'
import { ProviderFailure } from './provider-error.ts'
import { isRequestError } from './retries.ts'

/** The most models with a circuit. The oldest one is removed first. */
const MAX_MODELS = 1000

/** The circuits of an upstream: one for its connection, and one for each of its models. */
export interface ModelCircuits {
  /** The state of the connection. While it is open, no model is called. */
  readonly connection: Circuit['state']
  /** Whether the circuit of a model is not closed. */
  readonly isAnyOpen: boolean
  of(model: string): ModelCircuit
}

/** The circuit of a model. It is open where the model's or the connection's is. */
export interface ModelCircuit extends Pick<Circuit, 'nextCallAt'> {
  /** Runs like {@link Circuit.run}. Failures of a single caller do not count while the model answers another one. */
  run<T>(caller: string, task: () => Promise<T>): Promise<T>
}

/** How long a success of another caller shows that the model works. */
const TRUST_MS = 60_000

/** The most callers of a model in each list: those that succeeded, and those that failed since. */
const MAX_CALLERS = 100

/** The callers that succeeded with a model in the last minute, and those that have failed since. */
class CallerOutcomes {
  readonly #succeeded = new Map<string, number>()
  readonly #failed = new Map<string, number>()

  succeeded(caller: string): void {
    this.#failed.delete(caller)
    recordTime(this.#succeeded, caller)
  }

  /** Records a failure. Returns whether only this caller fails: another one succeeded, and no other failed. */
  isOnlyThisCaller(caller: string): boolean {
    recordTime(this.#failed, caller)
    return !hasOther(this.#failed, caller) && hasOther(this.#succeeded, caller)
  }
}

function recordTime(callers: Map<string, number>, caller: string): void {
  callers.delete(caller)
  callers.set(caller, performance.now())
  if (callers.size > MAX_CALLERS) callers.delete(callers.keys().next().value ?? caller)
}

const hasOther = (callers: ReadonlyMap<string, number>, caller: string): boolean =>
  [...callers].some(([other, at]) => other !== caller && performance.now() - at < TRUST_MS)

/** Stands for a failure that a circuit must not count. */
const SINGLE_CALLER = Symbol('a failure of a single caller')

/** @param onChanged called without a model for the circuit of the connection */
export function createModelCircuits(
  options: CircuitOptions,
  onChanged: (state: 'opened' | 'closed', model?: string) => void,
): ModelCircuits {
  const models = new Map<string, ModelCircuit & Pick<Circuit, 'state'>>()
  const connection = createCircuit(options, {
    isFailure: (thrown) => isUpstreamFault(thrown) && isUnreachable(thrown),
    onOpened: () => onChanged('opened'),
    onClosed: () => onChanged('closed'),
  })

  function create(model: string) {
    const record = new CallerOutcomes()
    const own = createCircuit(options, {
      isFailure: (thrown) => isUpstreamFault(thrown) && !isUnreachable(thrown),
      onOpened: () => onChanged('opened', model),
      onClosed: () => onChanged('closed', model),
    })
    return {
      get state() {
        return own.state
      },
      get nextCallAt() {
        return connection.nextCallAt ?? own.nextCallAt
      },
      async run<T>(caller: string, task: () => Promise<T>): Promise<T> {
        const entering = connection.enter()
        const ofConnection = entering instanceof Promise ? await entering : entering
        const enteringModel = own.enter()
        const ofModel = enteringModel instanceof Promise ? await enteringModel : enteringModel
        let answer: T
        try {
          answer = await task()
        } catch (thrown) {
          const counted = isOfSingleCaller(thrown, own, record, caller) ? SINGLE_CALLER : thrown
          ofModel.failed(counted)
          ofConnection.failed(counted)
          throw thrown
        }
        ofModel.succeeded()
        ofConnection.succeeded()
        record.succeeded(caller)
        return answer
      },
    }
  }

  return {
    get connection() {
      return connection.state
    },
    get isAnyOpen() {
      return [...models.values()].some(({ state }) => state !== 'closed')
    },
    of(model) {
      const known = models.get(model)
      if (known) return known
      const circuit = create(model)
      models.set(model, circuit)
      if (models.size > MAX_MODELS) models.delete(models.keys().next().value ?? model)
      return circuit
    },
  }
}

/** Returns whether the model fails only this caller. The trial call of a half-open circuit always counts. */
const isOfSingleCaller = (thrown: unknown, circuit: Circuit, record: CallerOutcomes, caller: string): boolean =>
  isUpstreamFault(thrown) === true &&
  !isUnreachable(thrown) &&
  circuit.state === 'closed' &&
  record.isOnlyThisCaller(caller)

/**
 * Returns whether a rejection counts as a failure of the upstream. A bad request and a limit do not. A disconnected client
 * and a timeout that the request itself shortened show nothing.
 */
function isUpstreamFault(thrown: unknown): boolean | undefined {
  if (thrown === SINGLE_CALLER) return false
  if (thrown instanceof CallerTimeoutError) return undefined
  if (!ProviderFailure.is(thrown)) return true
  const { error } = thrown
  if (error.type === 'cancelled') return undefined
  return !isRequestError(error) && (error.type !== 'refused' || error.status >= 500)
}

const isUnreachable = (thrown: unknown): boolean =>
  ProviderFailure.is(thrown) &&
  (thrown.error.type === 'unreachable' || (thrown.error.type === 'timed-out' && thrown.error.phase === 'connect'))
