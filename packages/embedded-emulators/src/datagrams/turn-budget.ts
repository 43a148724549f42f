/** Limits the work of all sockets in one turn of the event loop, so that a flood leaves turns to other work. */
export interface TurnBudget {
  /** @returns how much of `wanted` can be done now */
  take(wanted: number): number
  /** Returns what was taken and not used. */
  give(unused: number): void
}

/** Creates a budget that is full again in every turn. */
export function createTurnBudget(perTurn: number): TurnBudget {
  let left = perTurn
  let renewing = false
  const renew = () => {
    left = perTurn
    renewing = false
  }
  return {
    take(wanted) {
      const taken = Math.min(wanted, left)
      left -= taken
      if (!renewing) {
        renewing = true
        setImmediate(renew)
      }
      return taken
    },
    give(unused) {
      left += unused
    },
  }
}
