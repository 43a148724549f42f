import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { SelectField } from '../../../components/field.tsx'
import { Form } from '../../../components/form.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { useEmulation } from '../../../hooks/use-emulation.ts'
import { portKey, portsOf } from '../kinds/ports.ts'
import { cabledPorts, type Lab } from '../lab/use-lab.ts'
import { connectPorts, type PortOfInstance } from './cabling.ts'

export interface CableDialogProps {
  readonly lab: Lab
  readonly onClose: () => void
}

/** Connects two ports with a form, for use without a mouse. */
export function CableDialog({ lab, onClose }: CableDialogProps) {
  const emulation = useEmulation()
  const free = freePorts(lab)
  const [chosen, setChosen] = useState('')
  const [chosenOther, setChosenOther] = useState('')
  const one = free.find(({ value }) => value === chosen) ?? free[0]
  const others = free.filter(({ place }) => place.instance.id !== one?.place.instance.id)
  const other = others.find(({ value }) => value === chosenOther) ?? others[0]
  const connect = useAction(
    async (ends: readonly [PortOfInstance, PortOfInstance]) => connectPorts(emulation, ends[0], ends[1]),
    { quiet: true, done: 'The ports are connected.' },
  )
  return (
    <Dialog title="New cable" onClose={onClose}>
      {one && other ? (
        <Form
          submitLabel="Connect"
          onSubmit={() => connect.mutate([one.place, other.place], { onSuccess: onClose })}
          busy={connect.isPending}
          error={connect.error}
          otherActions={<Button onClick={onClose}>Cancel</Button>}
        >
          <SelectField label="From" value={one.value} onChange={setChosen} options={free} />
          <SelectField label="To" value={other.value} onChange={setChosenOther} options={others} />
        </Form>
      ) : (
        <EmptyState title="No free ports">A cable needs two instances with a free port each.</EmptyState>
      )}
    </Dialog>
  )
}

interface PortChoice {
  readonly value: string
  readonly label: string
  readonly place: PortOfInstance
}

const freePorts = (lab: Lab): readonly PortChoice[] =>
  lab.instances.flatMap((instance) => {
    const cabled = cabledPorts(lab, instance.id)
    const taken = new Set(cabled.map(portKey))
    const numbers = cabled.map(({ port }) => port)
    return portsOf(instance, numbers)
      .filter((port) => !taken.has(portKey(port)))
      .map((port) => ({
        value: `${instance.id} ${portKey(port)}`,
        label: `${instance.name}, ${instance.kind === 'emu5' ? 'port ' : ''}${port.label}`,
        place: { instance, port },
      }))
  })
