import type { InstanceId } from '@trivium/emulation-core'
import type { ProcessRecord } from '@trivium/emulation-core/ports'
import { findProgram } from '../processes/find-program.ts'
import type { ProcessEnvironment } from '../processes/process-environment.ts'
import { type EmulatorProcess, startProcess } from '../processes/start-process.ts'

export interface CpuLimitOptions {
  readonly directories: readonly string[]
  readonly environment: ProcessEnvironment
  readonly directory: string
  readonly instanceId: InstanceId
  /** The process that is limited. */
  readonly target: EmulatorProcess
  /** Called with the number of bytes that were written to the log of the helper. */
  readonly logged?: ((bytes: number) => void) | undefined
}

/** Limits the processor time of a machine, by a helper process that pauses it repeatedly. */
export interface CpuLimit {
  /** 100 is one core. 0 removes the limit. Rejects with a `missing-program` refusal where `cpulimit` is not installed. */
  set(percent: number): Promise<void>
  readonly processes: readonly ProcessRecord[]
}

export function createCpuLimit(options: CpuLimitOptions): CpuLimit {
  const { directories, environment, directory, instanceId, target, logged } = options
  let helper: EmulatorProcess | undefined
  let current = 0

  const stop = async () => {
    const running = helper
    helper = undefined
    current = 0
    await running?.stop()
  }

  return {
    get processes() {
      return helper === undefined || helper.hasExited() ? [] : [helper.record]
    },
    set: async (percent) => {
      if (percent === current && (percent === 0 || helper?.hasExited() === false)) return
      const program =
        percent === 0
          ? undefined
          : await findProgram({
              program: 'cpulimit',
              directories,
              title: 'cpulimit, which CPU throttling needs,',
              debianPackage: 'cpulimit',
            })
      if (helper !== undefined) await stop()
      if (program === undefined || target.hasExited()) return
      helper = await startProcess({
        program,
        parameters: ['--lazy', `--pid=${target.record.pid}`, `--limit=${percent}`],
        directory,
        logFile: 'cpulimit.log',
        logged,
        environment,
        instanceId,
        terminal: 'log',
        graceMs: 500,
      })
      current = percent
      // The helper can end while the machine is paused.
      void helper.exited.then(() => target.signal('SIGCONT'))
    },
  }
}
