import { nextTurn } from './next-turn.ts'

/** Calls of a store in the same process, as SQLite is, between which no other request runs. */
const CALLS = 32

/** Lets other requests run after each 32nd index of a loop that calls a store. */
export const afterCalls = async (index: number): Promise<void> => {
  if (index % CALLS === CALLS - 1) await nextTurn()
}
