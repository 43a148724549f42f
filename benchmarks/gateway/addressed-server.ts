import { cpuMicrosecondsOf, residentBytesOf } from '../process-figures.ts'
import type { Address } from './addresses.ts'
import type { RunningServer } from './running-server.ts'

/** A server of another owner. It reports what Linux knows of its processes, and is not stopped. */
export const addressedServer = ({ host, port, pids }: Address): RunningServer => ({
  url: `http://${host}:${port}`,
  async account() {
    if (pids.length === 0) return {}
    const sum = (of: (pid: number) => number) => pids.reduce((total, pid) => total + of(pid), 0)
    return { cpuMicroseconds: sum(cpuMicrosecondsOf), residentBytes: sum(residentBytesOf) }
  },
  pauses: async () => undefined,
  stop: async () => undefined,
})
