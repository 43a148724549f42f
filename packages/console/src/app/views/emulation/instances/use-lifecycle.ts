import { expectOk } from '@trivium/http-client'
import { useConfirm } from '../../../components/confirm.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { type EmulationClient, useEmulation } from '../../../hooks/use-emulation.ts'
import { type Instance, instanceParams } from '../kinds/instance.ts'
import { machineOperationsOf, operationsOf, suspensionOf } from '../kinds/operations.ts'
import type { Lab } from '../lab/use-lab.ts'
import { removeLink } from '../links/cabling.ts'

/** A change of an instance's state. */
export type Command = 'start' | 'stop' | 'reload' | 'suspend' | 'resume'

/** Runs a command of an instance. Does nothing when its kind has no such command. */
export async function runCommand(client: EmulationClient, instance: Instance, name: Command): Promise<void> {
  const commands = { ...machineOperationsOf(client, instance.kind), ...suspensionOf(client, instance.kind) }
  const run = commands[name]
  if (run) await expectOk(run({ params: instanceParams(instance) }))
}

/** Returns an action that runs a command of an instance. */
export function useCommand(instance: Instance) {
  const emulation = useEmulation()
  return useAction((name: Command) => runCommand(emulation, instance, name))
}

/** Returns an action that deletes an instance and both ends of its cables, after a confirmation. */
export function useRemoval({ projectId, links }: Lab, instance: Instance) {
  const emulation = useEmulation()
  const confirm = useConfirm()
  return useAction(async () => {
    const agreed = await confirm({
      title: `Delete ${instance.name}?`,
      body: 'The instance is stopped and its cables are removed. Its files are deleted when the project is committed.',
      action: 'Delete',
    })
    if (!agreed) return
    for (const link of links.filter(({ ends }) => ends.some(({ id }) => id === instance.id))) {
      await removeLink(emulation, projectId, link)
    }
    const { remove } = operationsOf(emulation, instance.kind)
    await expectOk(remove({ params: instanceParams(instance) }))
  })
}
