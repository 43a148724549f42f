import type { Emit } from '../events/create-events.ts'
import { LONGEST_WAIT_MS, MAXIMUM_TRIES, retryDelay } from './retry-delay.ts'
import { ANSWER_TIMEOUT_MS, type SendOptions, type SendResult, sendNotice } from './send-notice.ts'
import type { ClaimedDelivery, DeliveryOutcome, WebhookRepository } from './webhook-repository.ts'

/** The webhooks that a process delivers to at the same time. */
const MAXIMUM_AT_A_TIME = 16

/** A lease is longer than a receiver can take, so that no second process delivers in the meantime. */
const LEASE_MS = 1.5 * ANSWER_TIMEOUT_MS

export interface DeliveryWorkerOptions extends SendOptions {
  readonly repository: WebhookRepository
  readonly owner: string
  readonly random: () => number
  readonly emit: Emit
  readonly onFault: (error: unknown) => void
}

/** Delivers notices to webhooks in the background. */
export interface DeliveryWorker {
  /** Looks for deliveries now. */
  wake(): void
  /** Interrupts the running requests, and leaves their deliveries to the next process. */
  stop(): Promise<void>
}

/** Creates a worker that delivers to several webhooks at the same time, and to each in the order of the notices. */
export function createDeliveryWorker(options: DeliveryWorkerOptions): DeliveryWorker {
  const { repository, owner, now, random, emit, onFault } = options
  const active = new Set<Promise<void>>()
  const stopping = new AbortController()
  const { signal } = stopping
  let isLooking = false
  let lookAgain = false
  let looking = Promise.resolve()

  const after = (milliseconds: number) => new Date(now().getTime() + milliseconds)

  function outcomeOf({ delivery }: ClaimedDelivery, result: SendResult): DeliveryOutcome {
    if (result.type === 'accepted') return { type: 'delivered' }
    if (result.type === 'interrupted') return result
    const { failure, status, retryAfterMs } = result
    const failed = { failure, ...(status !== undefined && { status }) }
    if (status === 410) return { type: 'closed', ...failed }
    const tries = delivery.tries + 1
    if (tries >= MAXIMUM_TRIES) return { type: 'dead', ...failed }
    return { type: 'failed', ...failed, retryAt: after(retryDelay(tries, random(), retryAfterMs)) }
  }

  async function deliver(claimed: ClaimedDelivery): Promise<void> {
    const { webhook, secret, notice } = claimed
    const result = await sendNotice(options, { url: webhook.url, secret, notice, signal })
    const outcome = outcomeOf(claimed, result)
    if (!(await repository.settle(claimed, owner, outcome, now()))) return
    if (outcome.type === 'delivered') emit('webhook.delivered', webhook, notice)
    else if (outcome.type !== 'interrupted') {
      emit('webhook.failed', webhook, notice, { reason: outcome.failure, isFinal: outcome.type !== 'failed' })
    }
  }

  async function look(): Promise<void> {
    do {
      lookAgain = false
      while (!signal.aborted && active.size < MAXIMUM_AT_A_TIME) {
        const request = { owner, now: now(), leaseUntil: after(LEASE_MS), longestWait: after(2 * LONGEST_WAIT_MS) }
        const claimed = await repository.claim(request)
        if (!claimed) break
        const delivering = deliver(claimed)
          .catch(onFault)
          .finally(() => {
            active.delete(delivering)
            wake()
          })
        active.add(delivering)
      }
    } while (lookAgain && !signal.aborted)
  }

  function wake(): void {
    if (signal.aborted) return
    lookAgain = true
    if (isLooking) return
    isLooking = true
    looking = look()
      .catch(onFault)
      .finally(() => {
        isLooking = false
      })
  }

  return {
    wake,
    stop: async () => {
      stopping.abort()
      await looking
      await Promise.all(active)
    },
  }
}
