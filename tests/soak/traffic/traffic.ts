import type { Client } from './client.ts'

/** One thing that users do, again and again. */
export interface Traffic {
  readonly name: string
  /** How many do it at a time. */
  readonly users: number
  /** Takes a second, where others take milliseconds. */
  readonly isSlow?: boolean
  /** Leaves nothing behind that a server should keep for ever. @param turn counts up, different for each */
  turn(client: Client, turn: number): Promise<void>
}
