import { Button } from '../../../components/button.tsx'
import { errorMessage } from '../../../components/error-note.tsx'
import { useToasts } from '../../../components/toasts.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { useEmulation } from '../../../hooks/use-emulation.ts'
import { type Command, runCommand } from '../instances/use-lifecycle.ts'
import type { Instance } from '../kinds/instance.ts'
import { isAlwaysOn } from '../kinds/kinds.ts'
import type { Lab } from './use-lab.ts'

/** Shows buttons that start and stop all instances. */
export function LabCommands({ lab: { instances, states } }: { readonly lab: Lab }) {
  const emulation = useEmulation()
  const toasts = useToasts()
  const run = useAction(async ({ name, of }: { readonly name: Command; readonly of: readonly Instance[] }) => {
    // One after the other, because a start can load the host heavily.
    for (const instance of of) {
      await runCommand(emulation, instance, name).catch((error: unknown) =>
        toasts.error(`${instance.name}: ${errorMessage(error)}`),
      )
    }
  })
  const machines = instances.filter(({ kind }) => !isAlwaysOn(kind))
  const stopped = machines.filter(({ id }) => states.get(id) === 'stopped')
  const running = machines.filter(({ id }) => states.has(id) && states.get(id) !== 'stopped')
  return (
    <>
      <Button
        disabled={stopped.length === 0}
        busy={run.isPending}
        onClick={() => run.mutate({ name: 'start', of: stopped })}
      >
        Start all
      </Button>
      <Button
        disabled={running.length === 0}
        busy={run.isPending}
        onClick={() => run.mutate({ name: 'stop', of: running })}
      >
        Stop all
      </Button>
    </>
  )
}
