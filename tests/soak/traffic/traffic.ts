import type { Client } from './client.ts'

/** A series of requests that users repeat. */
export interface Traffic {
  readonly name: string
  /** The number of users at the same time. */
  readonly users: number
  /** Whether a turn takes a second instead of milliseconds. @default false */
  readonly isSlow?: boolean
  /** Runs one turn, which deletes the objects that it creates. @param turn a number that is different for each turn */
  turn(client: Client, turn: number): Promise<void>
}
