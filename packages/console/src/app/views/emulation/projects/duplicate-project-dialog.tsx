import { expectOk } from '@trivium/http-client'
import { useState } from 'react'
import { TextField } from '../../../components/field.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { useEmulation } from '../../../hooks/use-emulation.ts'
import { type Project, projectName } from './project.ts'

export interface DuplicateProjectDialogProps {
  readonly project: Project
  readonly onClose: () => void
}

export function DuplicateProjectDialog({ project, onClose }: DuplicateProjectDialogProps) {
  const emulation = useEmulation()
  const [name, setName] = useState(`${projectName(project)} copy`)
  const params = { project_id: project.project_id }
  const duplicate = useAction(() => expectOk(emulation.duplicateProject({ params, body: { name: name.trim() } })), {
    quiet: true,
    done: (copy) => `${projectName(copy)} is created as a closed project.`,
  })
  return (
    <FormDialog
      title={`Duplicate ${projectName(project)}`}
      onClose={onClose}
      submitLabel="Duplicate"
      onSubmit={() => duplicate.mutate(undefined, { onSuccess: onClose })}
      busy={duplicate.isPending}
      error={duplicate.error}
    >
      <TextField
        label="Name of the copy"
        value={name}
        onChange={setName}
        required
        autoComplete="off"
        hint="The copy has the same instances, cables and files"
      />
    </FormDialog>
  )
}
