import { type ProcessRecord, Refusal, type StartOptions } from '@trivium/emulation-core/ports'
import type { EmulatorProcess } from './start-process.ts'

export interface WaitUntilReadyOptions {
  readonly process: EmulatorProcess
  /** The name of the program in the message. */
  readonly title: string
  readonly options: StartOptions
  /** Resolves when the program answers. Rejects when it cannot. */
  readonly answers: Promise<unknown>
  readonly timeoutMs: number
}

/**
 * Records the process, then waits until it answers. Stops it and rejects with a `failed` refusal and the end of its log
 * when it ends or does not answer in time.
 */
export async function waitUntilReady(readiness: WaitUntilReadyOptions): Promise<readonly ProcessRecord[]> {
  const { process, title, options, answers, timeoutMs } = readiness
  let timer: NodeJS.Timeout | undefined
  try {
    await options.recorded([process.record])
    await Promise.race([
      answers,
      process.exited.then(() => {
        throw new Refusal('failed', 'it ended immediately')
      }),
      new Promise((_resolve, reject) => {
        const late = () => reject(new Refusal('failed', `it did not answer within ${timeoutMs / 1000} seconds`))
        timer = setTimeout(late, timeoutMs)
      }),
    ])
    const children = await process.recordChildren()
    if (children.length > 0) await options.recorded([process.record, ...children])
    return children
  } catch (error) {
    await process.stop()
    if (!(error instanceof Refusal)) throw error
    const { log } = await process.exited
    throw new Refusal('failed', `${title} could not be started: ${log === '' ? error.message : log}`, { cause: error })
  } finally {
    clearTimeout(timer)
  }
}
