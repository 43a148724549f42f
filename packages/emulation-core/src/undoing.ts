import { err, ok, type Result } from 'neverthrow'
import { StoreFailure } from './store-failure.ts'

/** @param kind a `claim` frees numbers of this process that what the task stores holds */
export type Undo = (step: () => unknown, kind?: 'claim') => void

/**
 * Runs what the task registered with `undo`, last first and each of them, unless the task ends well.
 *
 * @param onDoubt takes the claims where the store failed, which may have what the task wrote all the same
 */
export async function undoing<T, E>(
  task: (undo: Undo) => Promise<Result<T, E>>,
  onDoubt?: (release: () => Promise<void>) => void,
): Promise<Result<T, E>> {
  const steps: { readonly run: () => unknown; readonly kind: 'claim' | undefined }[] = []
  let result: Result<T, E>
  try {
    result = await task((run, kind) => steps.unshift({ run, kind }))
  } catch (fault) {
    const inDoubt = onDoubt !== undefined && StoreFailure.is(fault)
    await runAll(steps.filter(({ kind }) => kind !== 'claim' || !inDoubt))
    const claims = steps.filter(({ kind }) => kind === 'claim')
    if (inDoubt) onDoubt(async () => void (await runAll(claims)))
    throw fault
  }
  if (result.isOk()) return result
  const undone = await runAll(steps)
  if (undone.isErr()) throw undone.error
  return result
}

/** One that fails keeps no other from being run. @returns the first failure */
async function runAll(steps: readonly { readonly run: () => unknown }[]): Promise<Result<undefined, unknown>> {
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
