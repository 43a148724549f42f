import { err, ok, type Result } from 'neverthrow'
import { StoreFailure } from './store-failure.ts'

/**
 * Registers a step that undoes a part of a task.
 *
 * @param kind `claim` for a step that frees ports, slots or counts that the stored record uses
 */
export type Undo = (step: () => unknown, kind?: 'claim') => void

/**
 * Runs a task. Where it fails, runs all steps that it has registered with `undo`, the last one first.
 *
 * @param onPendingWrite receives the release of the claims where the store failed, as the write may have been made
 */
export async function withUndo<T, E>(
  task: (undo: Undo) => Promise<Result<T, E>>,
  onPendingWrite?: (release: () => Promise<void>) => void,
): Promise<Result<T, E>> {
  const steps: { readonly run: () => unknown; readonly kind: 'claim' | undefined }[] = []
  let result: Result<T, E>
  try {
    result = await task((run, kind) => steps.unshift({ run, kind }))
  } catch (fault) {
    const isPendingWrite = onPendingWrite !== undefined && StoreFailure.is(fault)
    await runSteps(steps.filter(({ kind }) => kind !== 'claim' || !isPendingWrite))
    const claims = steps.filter(({ kind }) => kind === 'claim')
    if (isPendingWrite) onPendingWrite(async () => void (await runSteps(claims)))
    throw fault
  }
  if (result.isOk()) return result
  const undone = await runSteps(steps)
  if (undone.isErr()) throw undone.error
  return result
}

/** Runs all steps, also after one has failed. @returns the first failure */
async function runSteps(steps: readonly { readonly run: () => unknown }[]): Promise<Result<undefined, unknown>> {
  let outcome: Result<undefined, unknown> = ok(undefined)
  for (const { run } of steps) {
    try {
      await run()
    } catch (fault) {
      if (outcome.isOk()) outcome = err(fault)
    }
  }
  return outcome
}
