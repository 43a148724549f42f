import { setTimeout as wait } from 'node:timers/promises'
import { Refusal } from '@trivium/emulation-core/ports'
import type { ProcessEnvironment } from '../processes/process-environment.ts'
import { runProgram } from '../processes/run-program.ts'
import { type Helper, startHelper } from '../processes/start-helper.ts'
import { type CarrierCommand, carrierParameters } from './command-line.ts'
import { isBound } from './open-ports.ts'

export interface CarrierProcessOptions {
  readonly program: string
  /** Present for a new TAP device. */
  readonly placement: CarrierPlacement | undefined
  readonly command: CarrierCommand
  /** The device that the client has named. */
  readonly name: string
  readonly environment: ProcessEnvironment
}

/** Where a new TAP device is moved before it is up, so that it never sends to the host itself. */
export interface CarrierPlacement {
  /** The program `ip`. */
  readonly ip: string
  /** What follows `ip link set dev DEVICE`: `master br0 up`. */
  readonly parameters: readonly string[]
}

const START_MS = 5000
const POLL_MS = 10

/** Starts socat, and resolves once it carries frames. Rejects with a refusal, and leaves no process then. */
export async function startCarrier(options: CarrierProcessOptions): Promise<Helper> {
  const { program, placement, command, name, environment } = options
  const helper = await startHelper({ program, parameters: carrierParameters(command), environment })
  const polling = new AbortController()
  const carry = async () => {
    await untilBound(command, polling.signal)
    if (placement !== undefined) await place(placement, command.device, environment, name)
  }
  try {
    await Promise.race([
      carry(),
      helper.exited.then((output) => {
        throw refusalOf(output, name)
      }),
    ])
    return helper
  } catch (error) {
    polling.abort()
    await helper.stop()
    // Where socat has ended by itself, its TAP device is missing as well, and `ip` can report that first.
    const output = await helper.exited
    throw errorLine(output) === undefined ? error : refusalOf(output, name)
  }
}

async function untilBound({ address, ports }: CarrierCommand, signal: AbortSignal): Promise<void> {
  for (let waited = 0; waited < START_MS; waited += POLL_MS) {
    if (await isBound(address, ports.devicePort)) return
    await wait(POLL_MS, undefined, { signal })
  }
  throw new Refusal('failed', `socat did not answer within ${START_MS / 1000} seconds.`)
}

async function place(
  { ip, parameters: target }: CarrierPlacement,
  device: string,
  environment: ProcessEnvironment,
  name: string,
): Promise<void> {
  const parameters = ['link', 'set', 'dev', device, ...target]
  const { exitCode, errorOutput } = await runProgram({ program: ip, parameters, environment, timeoutMs: START_MS })
  if (exitCode !== 0) throw refusalOf(errorOutput, name)
}

const errorLine = (output: string): string | undefined => output.split('\n').findLast((line) => / E /.test(line))

function refusalOf(output: string, name: string): Refusal {
  if (/not permitted|permission denied/i.test(output))
    return new Refusal('not-privileged', `socat has no privileged access to ${name}.`)
  if (/resource busy/i.test(output)) return new Refusal('unavailable', `${name} is used by another program.`)
  const text = output.trim() === '' ? 'socat has ended without a message' : output.trim()
  const reason = (errorLine(text) ?? text).replace(/^.*? E /, '')
  return new Refusal('failed', `${name} could not be opened: ${reason.slice(0, 500)}`)
}
