import type { Pauses } from '../measured-process.ts'

/** What a server has used. One that runs already may report less. */
export interface Usage {
  readonly cpuMicroseconds?: number
  readonly residentBytes?: number
  readonly heapBytes?: number
}

export interface RunningServer {
  readonly url: string
  /** Returns what the server has used. `collected`: after a full garbage collection, where it is possible. */
  account(kind?: 'as it is' | 'collected'): Promise<Usage>
  /** Returns the pauses since the last call; `undefined` where they are not known. */
  pauses(): Promise<Pauses | undefined>
  stop(): Promise<void>
}

/** Returns the CPU time of a server for each of so many requests, in microseconds. `NaN` where it is not known. */
export async function cpuOfEach(
  server: Pick<RunningServer, 'account'>,
  requests: number,
  run: () => Promise<unknown>,
): Promise<number> {
  const before = await server.account()
  await run()
  const after = await server.account()
  return ((after.cpuMicroseconds ?? Number.NaN) - (before.cpuMicroseconds ?? Number.NaN)) / requests
}
