import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { AnswerReader } from './answer-reader.ts'
import type { HttpTarget } from './http-target.ts'
import { constantRate } from './schedule.ts'

/** What one run at a constant rate has shown. */
export interface OpenLoopFigures {
  /** Milliseconds from the time at which each request was due to the last byte of its answer. */
  readonly times: readonly number[]
  /** Milliseconds from the time at which each request was due until it was sent, where a connection was free. */
  readonly lateness: readonly number[]
  /** The share of requests that were due while all connections waited for answers. Their wait is part of `times`. */
  readonly waitedShare: number
  /** The CPU time of this process, of one core. */
  readonly generatorShare: number
}

/** The longest pause between two looks at the sockets: a timer of Node takes at least a millisecond. */
const PAUSE_MS = 0.05
/** A shorter pause takes longer than it should, because the kernel adds as much. */
const LEAST_PAUSE_MS = 0.02
const PREPARATION_MS = 20
/** The share of a run at its beginning that is not counted, in which connections are new. */
const UNCOUNTED_SHARE = 0.1

/**
 * Sends requests at a constant rate, regardless of the answers. A request that is due while all connections wait is sent on
 * the next one that is free, and its time counts from when it was due: a server that stops for a while affects the time of
 * every request that was due meanwhile.
 */
export async function runOpenLoop(target: HttpTarget, perSecond: number, seconds: number): Promise<OpenLoopFigures> {
  const schedule = constantRate(perSecond, seconds)
  const uncounted = Math.floor(schedule.count * UNCOUNTED_SHARE)
  const times: number[] = []
  const lateness: number[] = []
  let [begun, ended, waited] = [0, 0, 0]
  let failure: Error | undefined
  const begin = performance.now() + PREPARATION_MS

  const lanes = await Promise.all(target.requests.map((request) => openLane(target, request)))
  // In turns, because servers close connections that are idle for seconds.
  const free = [...lanes]
  for (const lane of lanes) {
    lane.onAnswer = () => {
      if (lane.index >= uncounted) times.push(performance.now() - begin - schedule.dueMs(lane.index))
      ended += 1
      free.push(lane)
    }
    lane.onFailure = (error) => {
      failure ??= error
    }
  }
  const cell = new Int32Array(new SharedArrayBuffer(4))
  const before = process.cpuUsage()
  let isWaiting = false
  while (ended < schedule.count && failure === undefined) {
    const due = schedule.dueBy(performance.now() - begin)
    while (begun < due) {
      const lane = free.shift()
      if (lane === undefined) {
        isWaiting = true
        break
      }
      lane.send(begun)
      if (isWaiting) waited += 1
      else if (begun >= uncounted) lateness.push(performance.now() - begin - schedule.dueMs(begun))
      begun += 1
      if (begun >= due) isWaiting = false
    }
    await new Promise((resolve) => setImmediate(resolve))
    const pause = Math.min(PAUSE_MS, begin + schedule.dueMs(begun) - performance.now())
    if (pause > LEAST_PAUSE_MS) Atomics.wait(cell, 0, 0, pause)
  }
  const { user, system } = process.cpuUsage(before)
  const elapsedMs = performance.now() - begin
  for (const lane of lanes) lane.close()
  if (failure !== undefined) throw failure
  return {
    times,
    lateness,
    waitedShare: waited / schedule.count,
    generatorShare: (user + system) / 1000 / elapsedMs,
  }
}

/** A connection with at most one request. */
interface Lane {
  /** The request that it has sent last. */
  index: number
  onAnswer: () => void
  onFailure: (error: Error) => void
  send(index: number): void
  close(): void
}

async function openLane({ host, port, sign }: HttpTarget, request: Buffer): Promise<Lane> {
  const socket: Socket = connect(port, host)
  await once(socket, 'connect')
  socket.setNoDelay(true)
  const reader = new AnswerReader(sign)
  const lane: Lane = {
    index: -1,
    onAnswer: () => undefined,
    onFailure: () => undefined,
    send(index) {
      lane.index = index
      socket.write(request)
    },
    close() {
      socket.removeAllListeners('close')
      socket.destroy()
    },
  }
  socket.on('data', (piece: Buffer) => {
    try {
      if (reader.add(piece)) lane.onAnswer()
    } catch (error) {
      lane.onFailure(error instanceof Error ? error : new Error(String(error)))
    }
  })
  socket.on('error', (error) => lane.onFailure(error))
  socket.on('close', () => lane.onFailure(new Error('The server closed the connection')))
  return lane
}
