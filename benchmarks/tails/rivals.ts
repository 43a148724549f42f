import type { Pauses } from '../measured-process.ts'
import type { Turn } from './figures.ts'

/** One side of a comparison at a constant rate: a server, or its floor. */
export interface Side {
  readonly name: string
  /**
   * Sends as much as the server answers until its code is optimised.
   *
   * @param warmUpShare less than 1 shows only that the benchmark works
   * @returns what one core carries, a second
   */
  capacity(warmUpShare: number): Promise<number>
  run(perSecond: number, seconds: number): Promise<Turn>
  /** Returns the pauses since the last call; `undefined` where they are not known. */
  pauses(): Promise<Pauses | undefined>
}

/** A server and its floor under one load. */
export interface Rivals {
  readonly load: string
  readonly server: Side
  readonly floor: Side
}

/** The rivals of one kind of load, which run until they are closed. */
export interface OpenRivals {
  readonly rivals: readonly Rivals[]
  close(): Promise<void>
}
