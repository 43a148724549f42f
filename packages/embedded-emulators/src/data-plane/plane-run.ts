import { pcapRecords } from '../captures/pcap.ts'
import type { KnownPlane } from './known-plane.ts'
import type { Call, FromDataPlane, ToDataPlane } from './messages.ts'
import { createOutbox, deliverFrames } from './outbox.ts'
import type { OpenPlaneThread } from './plane-thread.ts'
import type { Request } from './request.ts'

/** One data plane, from its start to its end. */
export interface PlaneRun {
  /** Whether it has answered. */
  readonly isReady: boolean
  /** Calls that are not answered. */
  readonly requests: ReadonlyMap<number, Request>
  ask(request: Request): void
  /** Sends later calls once it has resolved. */
  holdUntil(done: Promise<unknown>): void
  sendFrame(device: number, frame: Uint8Array): void
  end(): Promise<void>
}

export interface PlaneRunOptions {
  readonly known: KnownPlane
  readonly openThread: OpenPlaneThread
  /** Called after each message. */
  readonly received: () => void
  /** Called once where it ends by itself. */
  readonly ended: (reason: Error) => void
}

/** @throws where the thread cannot be opened */
export function createPlaneRun({ known, openThread, received, ended }: PlaneRunOptions): PlaneRun {
  const requests = new Map<number, Request>()
  let held: Call[] | undefined
  let isReady = false
  let sockets = 0

  const thread = openThread({
    received(messages) {
      for (const message of messages) take(message)
      updateHold()
      received()
    },
    ended,
  })
  const outbox = createOutbox<ToDataPlane>(thread.post)

  // The process stays alive for what is asked, and for sockets, as if they were its own.
  const updateHold = () => thread.setHeld(requests.size > 0 || sockets > 0)

  // In the next turn, because Node takes up to 1,000 messages in one, also those that arrive meanwhile.
  const answerLater = (message: ToDataPlane) => void setImmediate(() => outbox.push(message))

  const take = (message: FromDataPlane<never>) => {
    switch (message.type) {
      case 'ready':
        isReady = true
        return
      case 'answer': {
        const request = requests.get(message.id)
        requests.delete(message.id)
        request?.settle(message.outcome)
        return
      }
      case 'frames': {
        const taken = deliverFrames(message, (device, frame) => known.devices.get(device)?.receive(frame))
        answerLater(taken)
        return
      }
      case 'taken':
        outbox.taken(message)
        return
      case 'captured': {
        const { capture, bytes } = message
        for (const record of pcapRecords(bytes)) known.captures.get(capture)?.writer.record(record)
        answerLater({ type: 'kept', capture, bytes: bytes.length })
        return
      }
      case 'sockets':
        sockets = message.open
    }
  }

  return {
    get isReady() {
      return isReady
    },
    requests,
    ask(request) {
      request.sent += 1
      requests.set(request.call.id, request)
      if (held === undefined) outbox.push(request.call)
      else held.push(request.call)
      updateHold()
    },
    holdUntil(done) {
      const waiting: Call[] = []
      held = waiting
      void done.then(() => {
        held = undefined
        for (const call of waiting) outbox.push(call)
      })
    },
    sendFrame: (device, frame) => void outbox.frame(device, frame),
    end: thread.end,
  }
}
