import { useState } from 'react'
import { TextField } from '../../../components/field.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { useEmulation } from '../../../hooks/use-emulation.ts'
import { useAvailability } from '../kinds/availability.ts'
import { choiceOf, type Instance } from '../kinds/instance.ts'
import { InstanceFields } from './instance-fields.tsx'
import { currentValues, formFields } from './instance-form.ts'
import { changeInstance } from './save-instance.ts'

export interface EditInstanceDialogProps {
  readonly instance: Instance
  readonly onClose: () => void
}

export function EditInstanceDialog({ instance, onClose }: EditInstanceDialogProps) {
  const emulation = useEmulation()
  const available = useAvailability(instance.kind)
  const [name, setName] = useState(instance.name)
  const [values, setValues] = useState(() => currentValues(instance))
  const change = useAction(() => changeInstance(emulation, instance, name, values), {
    quiet: true,
    done: 'The settings are saved.',
  })
  const fields = formFields(choiceOf(instance), available).filter(({ isFixed }) => !isFixed)
  return (
    <FormDialog
      title={`Settings of ${instance.name}`}
      onClose={onClose}
      submitLabel="Save"
      onSubmit={() => change.mutate(undefined, { onSuccess: onClose })}
      busy={change.isPending}
      error={change.error}
    >
      <TextField label="Name" value={name} onChange={setName} required autoComplete="off" />
      <InstanceFields fields={fields} values={values} onChange={setValues} />
    </FormDialog>
  )
}
