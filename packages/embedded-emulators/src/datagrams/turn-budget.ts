/** What all sockets together may do in one turn of the event loop, so that a flood leaves turns for everybody else. */
export interface TurnBudget {
  /** @returns how much of it may be done now */
  take(wanted: number): number
  /** Gives back what was taken and not needed. */
  give(unused: number): void
}

/** Full again in every turn. */
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
