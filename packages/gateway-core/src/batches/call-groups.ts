/** How {@link callGroups} runs calls together. */
export interface CallGroupsOptions<Call, Result> {
  /**
   * Runs a group and returns a result for each call, in their order, or a promise of it. A rejection rejects all calls of the
   * group.
   */
  readonly run: (calls: readonly Call[]) => Promise<readonly (Result | Promise<Result>)[]>
  /** Runs a function after the current turn of the event loop, such as `setImmediate` of Node. */
  readonly schedule: (start: () => void) => void
  /** The most calls of a group. Further ones are in the next group. */
  readonly mostCalls: number
  /** The most groups that run at the same time. */
  readonly mostGroups: number
}

interface Waiting<Call, Result> {
  readonly call: Call
  readonly resolve: (result: Result | Promise<Result>) => void
  readonly reject: (error: unknown) => void
}

/**
 * Runs together the calls that are made in one turn of the event loop, and those that are made while others run.
 *
 * @returns a function that makes a call
 */
export function callGroups<Call, Result>(options: CallGroupsOptions<Call, Result>): (call: Call) => Promise<Result> {
  const { run, schedule, mostCalls, mostGroups } = options
  let waiting: Waiting<Call, Result>[] = []
  let running = 0
  let isScheduled = false

  const runGroup = async (group: readonly Waiting<Call, Result>[]) => {
    try {
      const results = await run(group.map(({ call }) => call))
      group.forEach(({ resolve, reject }, index) => {
        const result = results[index]
        if (result === undefined) reject(new TypeError('A call of a group has no result.'))
        else resolve(result)
      })
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }

  const start = () => {
    isScheduled = false
    while (waiting.length > 0 && running < mostGroups) {
      const group = waiting.slice(0, mostCalls)
      waiting = waiting.slice(mostCalls)
      running += 1
      void runGroup(group).then(() => {
        running -= 1
        plan()
      })
    }
  }

  const plan = () => {
    if (isScheduled || waiting.length === 0 || running >= mostGroups) return
    isScheduled = true
    schedule(start)
  }

  return (call) =>
    new Promise((resolve, reject) => {
      waiting.push({ call, resolve, reject })
      plan()
    })
}
