import { expectOk } from '@trivium/http-client'
import { Button } from '../../../components/button.tsx'
import { useToasts } from '../../../components/toasts.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { type EmulationClient, useEmulation } from '../../../hooks/use-emulation.ts'
import { isAlwaysOn } from '../kinds/kinds.ts'
import type { Lab } from './use-lab.ts'

type LabRun = Extract<Awaited<ReturnType<EmulationClient['startProject']>>, { readonly status: 200 }>['body']

const MAX_SHOWN = 3

/** Shows buttons that start and stop all instances. */
export function LabCommands({ lab: { projectId, instances, states } }: { readonly lab: Lab }) {
  const emulation = useEmulation()
  const toasts = useToasts()
  const params = { project_id: projectId }
  const report = ({ failed }: LabRun) => {
    for (const { name, message } of failed.slice(0, MAX_SHOWN)) toasts.error(`${name}: ${message}`)
    if (failed.length > MAX_SHOWN) toasts.error(`${failed.length - MAX_SHOWN} further instances failed.`)
  }
  const start = useAction(async () => report(await expectOk(emulation.startProject({ params }))))
  // It also ends a start that waits for the delays of instances.
  const stop = useAction(async () => report(await expectOk(emulation.stopProject({ params }))))
  const machines = instances.filter(({ kind }) => !isAlwaysOn(kind))
  const canStart = machines.some(({ id }) => states.get(id) === 'stopped')
  const canStop = machines.some(({ id }) => states.has(id) && states.get(id) !== 'stopped')
  return (
    <>
      <Button disabled={!canStart} busy={start.isPending} onClick={() => start.mutate()}>
        Start all
      </Button>
      <Button disabled={!canStop && !start.isPending} busy={stop.isPending} onClick={() => stop.mutate()}>
        Stop all
      </Button>
    </>
  )
}
