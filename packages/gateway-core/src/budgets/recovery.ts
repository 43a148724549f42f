import { releaseTimer } from '../release-timer.ts'
import { fromReceipt, toReceipt } from '../usage/record-receipt.ts'
import type { UsageRepository } from '../usage/usage-repository.ts'
import type { BudgetRepository, ExpiredReservation } from './budget-repository.ts'

export interface RecoveryParts {
  readonly budgets: Pick<BudgetRepository, 'unfinished' | 'settle' | 'confirm'>
  readonly usage: Pick<UsageRepository, 'append'>
  readonly now: () => Date
  readonly onRecovered: (reservations: number) => void
  readonly onFault: (error: unknown) => void
}

/**
 * Completes what processes that have exited left behind, once a minute: requests that were never settled are settled at
 * the most that they can have cost, and records that were settled but not stored are stored. Any number of replicas may do
 * so at the same time.
 */
export interface Recovery {
  start(): void
  /**
   * Completes now what has expired for a minute. Resolves once it is done. Rejects where a store fails.
   */
  recover(): Promise<void>
  /** Resolves once a running recovery has ended. */
  close(): Promise<void>
}

const INTERVAL_MS = 60_000
/** Running processes settle and store within this time. */
const GRACE_MS = 60_000
const MAX_AT_ONCE = 200

export function createRecovery({ budgets, usage, now, onRecovered, onFault }: RecoveryParts): Recovery {
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<void> | undefined
  let isClosed = false

  const settleLost = async ({ id, accounts, cost, receipt }: ExpiredReservation): Promise<boolean> => {
    const at = now()
    const record = { ...fromReceipt(receipt), at, cost }
    return budgets.settle({ id, accounts }, { tokens: 0, cost, receipt: toReceipt(record) }, at)
  }

  const recover = async (): Promise<void> => {
    for (;;) {
      const before = new Date(now().getTime() - GRACE_MS)
      const { reservations, receipts } = await budgets.unfinished(before, MAX_AT_ONCE)
      let recovered = 0
      for (const lost of reservations) if (await settleLost(lost)) recovered += 1
      if (recovered > 0) onRecovered(recovered)
      // A record that its process has stored meanwhile is ignored.
      if (receipts.length > 0) await usage.append(receipts.map(({ receipt }) => fromReceipt(receipt)))
      await budgets.confirm(receipts.map(({ id }) => id))
      if (isClosed || (reservations.length < MAX_AT_ONCE && receipts.length < MAX_AT_ONCE)) return
    }
  }

  const schedule = () => {
    if (isClosed) return
    timer = setTimeout(() => {
      running = recover()
        .catch(onFault)
        .finally(() => {
          running = undefined
          schedule()
        })
    }, INTERVAL_MS)
    releaseTimer(timer)
  }

  return {
    start: schedule,
    recover,
    async close() {
      isClosed = true
      clearTimeout(timer)
      await running
    },
  }
}
