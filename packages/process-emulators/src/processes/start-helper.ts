import { once } from 'node:events'
import { pid as ownPid } from 'node:process'
import { Refusal } from '@trivium/emulation-core/ports'
import { pacedOutput } from './paced-output.ts'
import { type ProcessEnvironment, SERVER_VARIABLE } from './process-environment.ts'
import { spawnChild } from './spawn-child.ts'

const EXCERPT_BYTES = 4096
const GRACE_MS = 1000

export interface HelperOptions {
  readonly program: string
  readonly parameters: readonly string[]
  readonly environment: ProcessEnvironment
}

/** A process that runs for the server and not for an instance. After a crash of the server it is found and ended. */
export interface Helper {
  /** Resolves with the end of its output, at most 4 KiB. Never rejects. */
  readonly exited: Promise<string>
  /** Ends it: SIGTERM, then SIGKILL after a second. Resolves with `exited`. */
  stop(): Promise<void>
}

/** Starts a helper without input. Rejects with a `failed` refusal where it cannot be started. */
export async function startHelper({ program, parameters, environment }: HelperOptions): Promise<Helper> {
  const child = spawnChild(program, parameters, {
    cwd: '/',
    env: { ...environment, [SERVER_VARIABLE]: `${ownPid}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let tail: Uint8Array = new Uint8Array()
  for (const output of [child.stdout, child.stderr]) {
    if (output === null) continue
    output.on('error', () => {})
    pacedOutput(output, (bytes) => {
      tail = Buffer.concat([tail, bytes]).subarray(-EXCERPT_BYTES)
    })
  }
  try {
    await once(child, 'spawn')
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new Refusal('failed', `${program} could not be started: ${message}`, { cause })
  }
  const exited = once(child, 'close').then(() => new TextDecoder().decode(tail).trim())
  return {
    exited,
    stop: async () => {
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS)
      await exited
      clearTimeout(timer)
    },
  }
}
