import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { TextField } from '../../../components/field.tsx'
import { Form } from '../../../components/form.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { useEmulation } from '../../../hooks/use-emulation.ts'
import { useAvailability } from '../kinds/availability.ts'
import { KindIcon } from '../kinds/kind-icon.tsx'
import { type Choice, choices, kindLabels, kindOf } from '../kinds/kinds.ts'
import type { Lab, Selection } from '../lab/use-lab.ts'
import type { FormValues } from './form-field.ts'
import { InstanceFields } from './instance-fields.tsx'
import { defaultValues, formFields } from './instance-form.ts'
import { createInstance } from './save-instance.ts'

export interface NewInstanceDialogProps {
  readonly lab: Lab
  readonly onClose: () => void
  readonly onSelect: (selection: Selection) => void
}

export function NewInstanceDialog({ lab, onClose, onSelect }: NewInstanceDialogProps) {
  const { projectId } = lab
  const emulation = useEmulation()
  const [choice, setChoice] = useState<Choice>('emu3')
  const kind = kindOf(choice)
  const available = useAvailability(kind)
  const isMissing = available.missing[kind] !== undefined
  const [name, setName] = useState<string>()
  const [changed, setChanged] = useState<FormValues>({})
  const values = { ...defaultValues(choice, available), ...changed }
  const chosenName = name ?? nextName(choice, lab)
  const create = useAction(
    async () => ({ id: await createInstance(emulation, { projectId, choice, name: chosenName, values }) }),
    { quiet: true },
  )
  // The dialog covers the messages of the page.
  const [createdMessage, setCreatedMessage] = useState('')
  const submit = async (another: boolean) => {
    const instance = await create.mutateAsync().catch(() => undefined)
    if (!instance) return
    setCreatedMessage(`${chosenName} was created.`)
    setName(undefined)
    onSelect({ type: 'instance', id: instance.id })
    if (!another) onClose()
  }
  return (
    <Dialog title="New instance" onClose={onClose}>
      <Form
        submitLabel="Create"
        onSubmit={() => void submit(false)}
        busy={create.isPending}
        disabled={isMissing}
        error={create.error}
        otherActions={
          <Button onClick={() => void submit(true)} busy={create.isPending} disabled={isMissing}>
            Create, and another
          </Button>
        }
      >
        <fieldset className="kind-choices">
          <legend>Kind</legend>
          {choices.map((offered) => (
            <KindChoice
              key={offered}
              kind={offered}
              chosen={offered === choice}
              missing={available.missing[kindOf(offered)]}
              onChoose={() => {
                setChoice(offered)
                setName(undefined)
                setChanged({})
                create.reset()
              }}
            />
          ))}
        </fieldset>
        <TextField label="Name" value={chosenName} onChange={setName} required autoComplete="off" />
        <InstanceFields key={choice} fields={formFields(choice, available)} values={values} onChange={setChanged} />
      </Form>
      <p className="quiet" role="status">
        {createdMessage}
      </p>
    </Dialog>
  )
}

interface KindChoiceProps {
  readonly kind: Choice
  readonly chosen: boolean
  readonly missing: string | undefined
  readonly onChoose: () => void
}

const KindChoice = ({ kind, chosen, missing, onChoose }: KindChoiceProps) => (
  <label className={`kind-choice ${missing === undefined ? '' : 'missing'}`}>
    <input type="radio" name="kind" checked={chosen} onChange={onChoose} />
    <KindIcon kind={kind} />
    <span>
      <strong>{kindLabels[kind].name}</strong>
      <span className="quiet">{missing ?? kindLabels[kind].description}</span>
    </span>
  </label>
)

/** Returns the first free name of a choice: `PC3`. */
function nextName(kind: Choice, { instances }: Lab): string {
  const taken = new Set(instances.map(({ name }) => name))
  const { prefix } = kindLabels[kind]
  let number = 1
  while (taken.has(`${prefix}${number}`)) number += 1
  return `${prefix}${number}`
}
