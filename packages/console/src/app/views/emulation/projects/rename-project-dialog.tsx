import { expectOk } from '@trivium/http-client'
import { useState } from 'react'
import { TextField } from '../../../components/field.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { useEmulation } from '../../../hooks/use-emulation.ts'
import { type Project, projectName } from './project.ts'

export interface RenameProjectDialogProps {
  readonly project: Project
  readonly onClose: () => void
}

export function RenameProjectDialog({ project, onClose }: RenameProjectDialogProps) {
  const emulation = useEmulation()
  const [name, setName] = useState(project.name ?? '')
  const params = { project_id: project.project_id }
  const rename = useAction(() => expectOk(emulation.updateProject({ params, body: { name: name.trim() } })), {
    quiet: true,
  })
  return (
    <FormDialog
      title={`Rename ${projectName(project)}`}
      onClose={onClose}
      submitLabel="Rename"
      onSubmit={() => rename.mutate(undefined, { onSuccess: onClose })}
      busy={rename.isPending}
      error={rename.error}
    >
      <TextField label="Name" value={name} onChange={setName} required autoComplete="off" />
    </FormDialog>
  )
}
