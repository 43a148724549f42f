import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { Refusal } from '@trivium/emulation-core/ports'
import { confinedCommand } from './confined-command.ts'

/**
 * Starts a child as `spawn` does, confined and in its own session. Errors that Node throws rather than emits (arguments
 * that are too long or contain a NUL) become a `failed` refusal.
 */
export function spawnChild(
  program: string,
  parameters: readonly string[],
  options: Pick<SpawnOptions, 'cwd' | 'env' | 'stdio'>,
): ChildProcess {
  const command = confinedCommand(program, parameters)
  try {
    return spawn(command.program, command.parameters, { ...options, detached: true, shell: false })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Refusal('failed', `${program} could not be started: ${reason.slice(0, 200)}`, { cause })
  }
}
