import { setTimeout as wait } from 'node:timers/promises'
import type { InstanceId } from '@trivium/emulation-core'
import { Refusal, type RunningInstance, type StartOptions } from '@trivium/emulation-core/ports'
import type { ProcessEnvironment } from '../processes/process-environment.ts'
import { resourcesOf } from '../processes/process-resources.ts'
import { startProcess } from '../processes/start-process.ts'
import { createStreamConsole } from '../processes/stream-console.ts'
import { waitUntilReady } from '../processes/wait-until-ready.ts'
import type { LinkCarrier } from './link-carrier.ts'

export interface StartRouterOptions {
  readonly image: string
  readonly parameters: readonly string[]
  readonly instanceId: InstanceId
  readonly directory: string
  readonly environment: ProcessEnvironment
  readonly carrier: LinkCarrier
  readonly options: StartOptions
}

/** An image prints nothing for some time, but ends within this time if it can't run. */
const PROOF_MS = 500
const START_MS = 10_000

/** Starts the image with its console on its input and output, then iouyap. Ends both where one does not start. */
export async function startRouter(router: StartRouterOptions): Promise<RunningInstance<'router'>> {
  const { image, parameters, instanceId, directory, environment, carrier, options } = router
  try {
    const process = await startProcess({
      program: image,
      parameters,
      directory,
      logFile: 'iou.log',
      logged: options.logged,
      environment,
      instanceId,
      terminal: 'stream',
    })
    const { terminal } = process
    if (terminal === undefined) throw new Error('A process was started without its terminal')
    const console = createStreamConsole(terminal)
    const firstOutput = new Promise<void>((resolve) => terminal.output.once('data', () => resolve()))
    await waitUntilReady({
      process,
      title: `IOU image ${image}`,
      options,
      answers: Promise.race([firstOutput, wait(PROOF_MS)]),
      timeoutMs: START_MS,
    }).catch((error: unknown) => {
      throw explainMissingLoader(image, error)
    })
    try {
      const links = await carrier.start()
      await waitUntilReady({
        process: links,
        title: 'iouyap',
        options: { recorded: (processes) => options.recorded([process.record, ...processes]) },
        answers: wait(PROOF_MS),
        timeoutMs: START_MS,
      })
    } catch (error) {
      await process.stop()
      throw error
    }
    const exited = process.exited.then(async (report) => {
      await carrier.stop()
      return report
    })
    const processes = () => (process.hasExited() ? [] : [process.record, ...carrier.processes])
    return {
      get processes() {
        return processes()
      },
      console,
      exited,
      stop: async () => {
        await process.stop()
        await exited
      },
      nicChanged: async (nic, state) => {
        if (!process.hasExited()) await carrier.change(nic, state)
      },
      resources: () => resourcesOf(processes()),
    }
  } catch (error) {
    await carrier.stop()
    throw error
  }
}

/** The operating system reports a program as absent when only its loader is. */
function explainMissingLoader(image: string, error: unknown): unknown {
  if (!(error instanceof Refusal) || !/No such file or directory|not found/.test(error.message)) return error
  return new Refusal('failed', `could not start IOU: ${image}: 32-bit binary support is probably not installed`, {
    cause: error,
  })
}
