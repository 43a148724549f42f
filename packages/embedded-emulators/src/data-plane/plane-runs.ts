import { Refusal } from '@trivium/emulation-core/ports'
import type { Clock } from '../clock/clock.ts'
import type { KnownPlane } from './known-plane.ts'
import type { CallName, Calls } from './messages.ts'
import { failureOf } from './outcome.ts'
import { createPlaneRun, type PlaneRun } from './plane-run.ts'
import type { OpenPlaneThread } from './plane-thread.ts'
import { createRequest, type Request } from './request.ts'

/** A data plane that runs while there are links, and is made again when it has ended by itself. */
export interface PlaneRuns {
  /** Starts the data plane where it does not run. Rejects as the method of the relay or of the switch. */
  call<N extends CallName>(name: N, ...args: Calls[N]['args']): Promise<Calls[N]['result']>
  /** As `call`, and resolves to `undefined` where the data plane does not run: it gets the state at its start. */
  callRunning<N extends CallName>(name: N, ...args: Calls[N]['args']): Promise<Calls[N]['result'] | undefined>
  /** As `callRunning`, for callers that do not wait. A failure is a fault. */
  notify<N extends CallName>(name: N, ...args: Calls[N]['args']): void
  /** Sends the frame of a device. Frames are lost while the data plane does not run. */
  sendFrame(device: number, frame: Uint8Array): void
  /** Ends the data plane. The next call starts it again. */
  end(): Promise<void>
}

export interface PlaneRunsOptions {
  readonly known: KnownPlane
  readonly openThread: OpenPlaneThread
  /** Opens all further threads once one could not be opened, or has ended before it answered. */
  readonly openFallback: OpenPlaneThread
  readonly onFault: (fault: Error) => void
  readonly clock: Clock
}

/** How long a data plane without links runs on, because another link often follows. */
const LINGER_MS = 5000

/** After as many ends within the period, the next start waits for as long. */
const MAX_ENDS = 3
const ENDS_PERIOD_MS = 60_000

/** A call is sent to a data plane, and to the next one where that has ended before its answer. */
const MAX_SENT = 2

const refuse = ({ settle }: Request) =>
  settle(failureOf(new Refusal('unavailable', 'Frames are not relayed now, because the relay has failed.')))

export function createPlaneRuns({ known, openFallback, onFault, clock, ...options }: PlaneRunsOptions): PlaneRuns {
  let { openThread } = options
  let current: PlaneRun | undefined
  let lastId = 0
  let ends: readonly number[] = []
  let isPaused = false
  let isLingering = false
  const restoring = new WeakSet<Request>()

  const isNeeded = () => known.connections.size > 0 || known.plugs.size > 0
  const isUnused = (run: PlaneRun) => !isNeeded() && run.requests.size === 0

  const toFault = (error: unknown) => onFault(error instanceof Error ? error : new Error(String(error)))

  const lingerIfUnused = (run: PlaneRun) => {
    if (isLingering || !isUnused(run)) return
    isLingering = true
    clock.after(LINGER_MS, () => {
      isLingering = false
      if (current === undefined || !isUnused(current)) return
      current.end().catch(toFault)
      current = undefined
    })
  }

  const useFallback = (cause: unknown) => {
    openThread = openFallback
    onFault(new Error('Frames are relayed on the main thread, because a worker cannot be started.', { cause }))
  }

  const open = (): PlaneRun => {
    const run = createPlaneRun({
      known,
      openThread,
      received: () => lingerIfUnused(run),
      ended: (reason) => replace(run, reason),
    })
    return run
  }

  const openOrFallBack = (): PlaneRun => {
    try {
      return open()
    } catch (error) {
      useFallback(error)
      return open()
    }
  }

  const start = (): PlaneRun => {
    const run = openOrFallBack()
    current = run
    restore(run)
    return run
  }

  /** Gives a new data plane everything that the last one had. Captures need their links, and calls come after all. */
  const restore = (run: PlaneRun) => {
    const repeat = <N extends CallName>(name: N, ...args: Calls[N]['args']): Promise<void> => {
      const { request, result } = requestOf(name, args)
      restoring.add(request)
      run.ask(request)
      return result.then(() => {}, toFault)
    }
    for (const [device, { nic }] of known.devices) void repeat('plug', device, nic)
    for (const { instance, nics } of known.switches.values()) void repeat('startSwitch', instance, nics)
    const links = [
      ...[...known.plugs].map(([plug, { nic, options: plugOptions }]) => repeat('plugUdp', plug, nic, plugOptions)),
      ...[...known.connections.values()].map(({ nic, nio, impairments, linkUp }) =>
        repeat('connect', nic, nio, { impairments, linkUp }),
      ),
    ]
    if (links.length > 0) run.holdUntil(Promise.all(links))
    for (const [capture, { nic, choice }] of known.captures) void repeat('startCapture', capture, nic, choice)
  }

  const replace = (run: PlaneRun, cause: Error) => {
    if (current !== run) return
    current = undefined
    const left = [...run.requests.values()].filter((request) => !restoring.has(request))
    if (run.isReady) {
      ends = [...ends.filter((at) => at > clock.now() - ENDS_PERIOD_MS), clock.now()]
      onFault(new Error('The worker that relays frames has ended.', { cause }))
      if (ends.length >= MAX_ENDS) pause()
    } else useFallback(cause)
    const again = isPaused ? [] : left.filter(({ sent }) => sent < MAX_SENT)
    for (const request of left) if (!again.includes(request)) refuse(request)
    if (isPaused || (!isNeeded() && again.length === 0)) return
    const next = start()
    for (const request of again) next.ask(request)
  }

  const pause = () => {
    isPaused = true
    clock.after(ENDS_PERIOD_MS, () => {
      isPaused = false
      if (current === undefined && isNeeded()) start()
    })
  }

  const requestOf = <N extends CallName>(name: N, args: Calls[N]['args']) => {
    lastId += 1
    return createRequest(lastId, name, args)
  }

  const ask = <N extends CallName>(run: PlaneRun | undefined, name: N, args: Calls[N]['args']) => {
    const { request, result } = requestOf(name, args)
    if (run === undefined) refuse(request)
    else run.ask(request)
    return result
  }

  const callRunning: PlaneRuns['callRunning'] = async (name, ...args) =>
    current === undefined ? undefined : ask(current, name, args)

  return {
    call: (name, ...args) => ask(current ?? (isPaused ? undefined : start()), name, args),
    callRunning,
    notify: (name, ...args) => void callRunning(name, ...args).catch(toFault),
    sendFrame: (device, frame) => current?.sendFrame(device, frame),
    async end() {
      const run = current
      current = undefined
      await run?.end()
    },
  }
}
