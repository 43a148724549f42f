/** Options of closing a mount. */
export interface CloseOptions {
  /** How long answers that run may continue, after which they are cut off. @default 10 */
  readonly graceSeconds?: number
}

/** Routes that a host serves, until it closes them. */
export interface Closable {
  /**
   * Ends the answers that have no end or wait, gives the others `graceSeconds`, and cuts off those that still run.
   * Later requests are answered, and their connections closed. Resolves when the answers have ended. Later calls return
   * the first promise. Never rejects.
   */
  close(options?: CloseOptions): Promise<void>
}

/** The running answers of a mount, for a transport. */
export interface MountLifetime<Answer> extends Closable {
  /** Aborts when the mount begins to close. */
  readonly closing: AbortSignal
  /** Counts an answer as running. */
  begin(answer: Answer): void
  /** Ends what `begin` has begun. Ignored for an answer that has ended. */
  end(answer: Answer): void
}

/** What closing does to an answer. Neither function may throw. */
export interface AnswerEnding<Answer> {
  /** Called for each answer that runs when the mount begins to close. */
  readonly announce: (answer: Answer) => void
  /** Cuts an answer off, so that its client sees that it is incomplete. */
  readonly cut: (answer: Answer) => void
}

/** How long running answers may continue by default. */
export const DEFAULT_GRACE_SECONDS = 10

/** Creates the lifetime of one mount. */
export function createMountLifetime<Answer>({ announce, cut }: AnswerEnding<Answer>): MountLifetime<Answer> {
  const controller = new AbortController()
  const running = new Set<Answer>()
  let closed: Promise<void> | undefined
  let onLastEnd = () => {}

  const end = async (graceSeconds: number): Promise<void> => {
    for (const answer of running) announce(answer)
    controller.abort()
    if (running.size === 0) return
    let timer: ReturnType<typeof setTimeout> | undefined
    await new Promise<void>((resolve) => {
      onLastEnd = resolve
      timer = setTimeout(() => {
        for (const answer of running) cut(answer)
        resolve()
      }, graceSeconds * 1000)
    })
    clearTimeout(timer)
  }

  return {
    closing: controller.signal,
    begin: (answer) => void running.add(answer),
    end: (answer) => {
      if (running.delete(answer) && running.size === 0) onLastEnd()
    },
    close({ graceSeconds = DEFAULT_GRACE_SECONDS } = {}) {
      closed ??= end(graceSeconds)
      return closed
    },
  }
}
