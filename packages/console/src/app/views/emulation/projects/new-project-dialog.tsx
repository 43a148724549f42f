import { expectOk } from '@trivium/http-client'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { CheckField, TextField } from '../../../components/field.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { useEmulation } from '../../../hooks/use-emulation.ts'
import { projectPath } from './project.ts'

export function NewProjectDialog({ onClose }: { readonly onClose: () => void }) {
  const emulation = useEmulation()
  const [, navigate] = useLocation()
  const [name, setName] = useState('')
  const [temporary, setTemporary] = useState(false)
  const [path, setPath] = useState('')
  const create = useAction(
    () =>
      expectOk(emulation.createProject({ body: { name: name.trim() || null, temporary, path: path.trim() || null } })),
    { quiet: true },
  )
  return (
    <FormDialog
      title="New project"
      onClose={onClose}
      submitLabel="Create"
      onSubmit={() => create.mutate(undefined, { onSuccess: (project) => navigate(projectPath(project)) })}
      busy={create.isPending}
      error={create.error}
    >
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        autoComplete="off"
        hint="A project without a name is shown by its id"
      />
      <CheckField label="Delete the project when it is closed" checked={temporary} onChange={setTemporary} />
      <TextField
        label="Directory"
        value={path}
        onChange={setPath}
        autoComplete="off"
        placeholder="a new directory of the server"
        hint="Only for servers that let clients choose the directory"
      />
    </FormDialog>
  )
}
