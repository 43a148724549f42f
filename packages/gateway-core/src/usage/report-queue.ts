/** Reports that run at the same time in a process. Each takes memory for its groups, and time of the store. */
const MOST_RUNNING = 4
/** Reports of a caller that run or wait. They run one after the other. */
const MOST_OF_CALLER = 10
const MOST_WAITING = 200

/** Runs the reports of a caller one after the other, and those of several callers in turn. */
export class ReportQueue {
  /** The number of reports of each caller that run or wait. */
  readonly #reports = new Map<string, number>()
  readonly #busy = new Set<string>()
  readonly #waiting = new Set<Waiting>()

  /** Whether a caller can have another report. */
  hasPlace(caller: string): boolean {
    return (this.#reports.get(caller) ?? 0) < MOST_OF_CALLER && this.#waiting.size < MOST_WAITING
  }

  async run<Result>(caller: string, report: () => Promise<Result>): Promise<Result> {
    this.#reports.set(caller, (this.#reports.get(caller) ?? 0) + 1)
    await this.#begin(caller)
    try {
      return await report()
    } finally {
      this.#end(caller)
    }
  }

  #begin(caller: string): Promise<void> | undefined {
    if (this.#canBegin(caller)) {
      this.#busy.add(caller)
      return undefined
    }
    return new Promise((resolve) => {
      this.#waiting.add({ caller, begin: resolve })
    })
  }

  #canBegin(caller: string): boolean {
    return this.#busy.size < MOST_RUNNING && !this.#busy.has(caller)
  }

  #end(caller: string): void {
    const left = (this.#reports.get(caller) ?? 1) - 1
    if (left > 0) this.#reports.set(caller, left)
    else this.#reports.delete(caller)
    this.#busy.delete(caller)
    for (const waiting of this.#waiting) {
      if (!this.#canBegin(waiting.caller)) continue
      this.#waiting.delete(waiting)
      this.#busy.add(waiting.caller)
      waiting.begin()
    }
  }
}

interface Waiting {
  readonly caller: string
  readonly begin: () => void
}
