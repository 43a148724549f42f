import { type ClientSocket, expectOk } from '@trivium/http-client'
import { useCallback, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Display } from '../../../components/display.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import type { TerminalProps } from '../../../components/terminal/terminal-screen.tsx'
import { Terminal } from '../../../components/terminal.tsx'
import { useEmulation, useEmulationSockets } from '../../../hooks/use-emulation.ts'
import { useCommand } from '../instances/use-lifecycle.ts'
import { hasDisplay, type InstanceState, instanceParams, type TerminalInstance } from '../kinds/instance.ts'
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
  const connectDisplay = useCallback(
    async (signal: AbortSignal): Promise<ClientSocket> => {
      const params = instanceParams({ kind, id, projectId })
      const { ticket } = await expectOk(machineOperationsOf(emulation, kind).ticket({ params, signal }))
      return sockets.openDisplayEmu1({ params: { project_id: projectId, vm_id: id }, query: { ticket }, signal })
    },
    [emulation, sockets, kind, id, projectId],
  )
  const [showsText, setShowsText] = useState(false)
  if (state !== 'stopped') {
    const terminal = <Terminal label={`Console of ${name}`} connect={connect} {...focus} />
    if (!hasDisplay(instance)) return terminal
    return (
      <>
        <Button aria-pressed={showsText} onClick={() => setShowsText(!showsText)}>
          Serial console
        </Button>
        {showsText ? terminal : <Display label={`Screen of ${name}`} connect={connectDisplay} />}
      </>
    )
  }
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
