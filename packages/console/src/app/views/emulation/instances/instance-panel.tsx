import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { choiceOf, hasConsole, type Instance, type InstanceState } from '../kinds/instance.ts'
import { canSuspend, isAlwaysOn, kindLabels } from '../kinds/kinds.ts'
import { Lockable } from '../lab/lockable.tsx'
import type { Lab } from '../lab/use-lab.ts'
import { EditInstanceDialog } from './edit-instance-dialog.tsx'
import { InstanceFacts } from './instance-facts.tsx'
import { MacTable } from './mac-table.tsx'
import { StateMark } from './state-mark.tsx'
import { SwitchPorts } from './switch-ports.tsx'
import { useCommand, useRemoval } from './use-lifecycle.ts'

export interface InstancePanelProps {
  readonly lab: Lab
  readonly instance: Instance
  readonly onConsole: (instance: Instance) => void
}

export function InstancePanel({ lab, instance, onConsole }: InstancePanelProps) {
  const state = lab.states.get(instance.id)
  const [isEditing, setIsEditing] = useState(false)
  const remove = useRemoval(lab, instance)
  return (
    <div className="stack">
      <div className="row">
        <span>{kindLabels[choiceOf(instance)].name}</span>
        <StateMark state={state} />
      </div>
      <div className="row tight">
        {!isAlwaysOn(instance.kind) && <Commands instance={instance} state={state} />}
        {hasConsole(instance) && <Button onClick={() => onConsole(instance)}>Console</Button>}
      </div>
      <InstanceFacts instance={instance} state={state} />
      {instance.kind === 'emu5' && choiceOf(instance) !== 'hub' && (
        <>
          <Lockable lab={lab}>
            <SwitchPorts lab={lab} instance={instance} />
          </Lockable>
          <MacTable instance={instance} />
        </>
      )}
      <div className="row tight">
        <Lockable lab={lab}>
          <Button onClick={() => setIsEditing(true)}>Settings</Button>
          <Button kind="danger" onClick={() => remove.mutate()}>
            Delete
          </Button>
        </Lockable>
      </div>
      {isEditing && <EditInstanceDialog instance={instance} onClose={() => setIsEditing(false)} />}
    </div>
  )
}

interface CommandsProps {
  readonly instance: Instance
  readonly state: InstanceState | undefined
}

function Commands({ instance, state }: CommandsProps) {
  const command = useCommand(instance)
  const busy = command.isPending
  if (state === 'stopped') {
    return (
      <Button kind="primary" busy={busy} onClick={() => command.mutate('start')}>
        Start
      </Button>
    )
  }
  return (
    <>
      {state === 'suspended' ? (
        <Button kind="primary" busy={busy} onClick={() => command.mutate('resume')}>
          Resume
        </Button>
      ) : (
        canSuspend(instance.kind) && (
          <Button busy={busy} onClick={() => command.mutate('suspend')}>
            Suspend
          </Button>
        )
      )}
      <Button busy={busy} onClick={() => command.mutate('stop')}>
        Stop
      </Button>
      <Button busy={busy} onClick={() => command.mutate('reload')}>
        Reload
      </Button>
    </>
  )
}
