import { setTimeout as pause } from 'node:timers/promises'

/** A statement that was sent and has no answer yet. */
export interface RunningStatement {
  /** The number that the server gave to the connection. */
  readonly session: number
  /** When the connection last received an answer, on the clock of `performance.now()`. */
  readonly lastAnswerAt: number
  /** Drops the connection: the statement fails. */
  readonly drop: () => void
}

export interface OverdueOptions {
  /** Milliseconds without an answer after which the server is asked. */
  readonly overdueMs: number
  /**
   * Asks the server over a new connection which of these sessions it works for. Resolves with `undefined` where that
   * cannot be determined, as where it answers the login and not the query. Rejects where the server cannot be reached.
   */
  readonly askWorking: (sessions: readonly number[]) => Promise<ReadonlySet<number> | undefined>
}

export interface OverdueStatements {
  /** Watches a statement. @returns a function to call when the statement has an answer */
  begin(statement: RunningStatement): () => void
  /**
   * Whether a connection that last received an answer at that time may be broken, since another was found broken later.
   */
  mayBeDead(lastAnswerAt: number): boolean
}

/** How long an answer that the server has sent may take to arrive. */
const IN_TRANSIT_MS = 100

/**
 * Distinguishes slow statements from connections that broke silently. Asks the server about all overdue statements
 * together, over one connection at a time. Drops the connections of statements that the server does not work on, and
 * all of them where it cannot be reached.
 */
export function overdueStatements({ overdueMs, askWorking }: OverdueOptions): OverdueStatements {
  const running = new Map<RunningStatement, number>()
  const stepMs = overdueMs / 8
  let timer: NodeJS.Timeout | undefined
  let checking = false
  let foundBrokenAt = Number.NEGATIVE_INFINITY

  const mayBeDead = (lastAnswerAt: number) => lastAnswerAt < foundBrokenAt

  const isOverdue = (statement: RunningStatement, since: number) =>
    performance.now() - since >= (mayBeDead(statement.lastAnswerAt) ? stepMs : overdueMs)

  const findBroken = async (suspects: readonly RunningStatement[]): Promise<readonly RunningStatement[]> => {
    try {
      const working = await askWorking(suspects.map(({ session }) => session))
      if (working === undefined) return []
      await pause(IN_TRANSIT_MS)
      return suspects.filter(({ session }) => !working.has(session))
    } catch {
      return suspects
    }
  }

  const checkStatements = async () => {
    const now = performance.now()
    if (![...running].some(([statement, since]) => isOverdue(statement, since))) return
    // Where one statement is overdue, those that began later may be lost too.
    const suspects = [...running].filter(([, since]) => now - since >= stepMs).map(([statement]) => statement)
    const broken = (await findBroken(suspects)).filter((statement) => running.has(statement))
    if (broken.length === 0) return
    foundBrokenAt = performance.now()
    for (const { drop } of broken) drop()
  }

  const watch = () => {
    if (timer !== undefined) return
    timer = setTimeout(() => {
      timer = undefined
      if (running.size === 0) return
      watch()
      if (checking) return
      checking = true
      checkStatements().finally(() => {
        checking = false
      })
    }, stepMs).unref()
  }

  return {
    mayBeDead,
    begin: (statement) => {
      running.set(statement, performance.now())
      watch()
      return () => void running.delete(statement)
    },
  }
}
