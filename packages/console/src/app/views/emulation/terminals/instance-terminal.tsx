import { type ClientSocket, expectOk } from '@trivium/http-client'
import { useCallback } from 'react'
import { Button } from '../../../components/button.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import type { TerminalProps } from '../../../components/terminal/terminal-screen.tsx'
import { Terminal } from '../../../components/terminal.tsx'
import { useEmulation, useEmulationSockets } from '../../../hooks/use-emulation.ts'
import { useCommand } from '../instances/use-lifecycle.ts'
import { type InstanceState, instanceParams, type TerminalInstance } from '../kinds/instance.ts'
import { consoleOpenerOf, machineOperationsOf } from '../kinds/operations.ts'

export interface InstanceTerminalProps extends Pick<TerminalProps, 'takesFocus' | 'onFocusTaken'> {
  readonly instance: TerminalInstance
  readonly state: InstanceState | undefined
}

/** Shows the console of an instance while it runs. */
export function InstanceTerminal({ instance, state, ...focus }: InstanceTerminalProps) {
  const { kind, id, name, projectId } = instance
  const emulation = useEmulation()
  const sockets = useEmulationSockets()
  const command = useCommand(instance)
  const connect = useCallback(
    async (signal: AbortSignal): Promise<ClientSocket> => {
      const params = instanceParams({ kind, id, projectId })
      const { ticket } = await expectOk(machineOperationsOf(emulation, kind).ticket({ params, signal }))
      return consoleOpenerOf(sockets, kind)({ params, query: { ticket }, signal })
    },
    [emulation, sockets, kind, id, projectId],
  )
  if (state !== 'stopped') return <Terminal label={`Console of ${name}`} connect={connect} {...focus} />
  return (
    <EmptyState
      title={`${name} is stopped`}
      action={
        <Button kind="primary" busy={command.isPending} onClick={() => command.mutate('start')}>
          Start {name}
        </Button>
      }
    >
      The console opens when the instance runs.
    </EmptyState>
  )
}
