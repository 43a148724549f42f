import { expectOk } from '@trivium/http-client'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { TextField } from '../../../components/field.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { useEmulation } from '../../../hooks/use-emulation.ts'
import { projectPath } from './project.ts'

export function OpenProjectDialog({ onClose }: { readonly onClose: () => void }) {
  const emulation = useEmulation()
  const [, navigate] = useLocation()
  const [id, setId] = useState('')
  const open = useAction(() => expectOk(emulation.createProject({ body: { project_id: id.trim() } })), { quiet: true })
  return (
    <FormDialog
      title="Open a closed project"
      onClose={onClose}
      submitLabel="Open"
      onSubmit={() => open.mutate(undefined, { onSuccess: (project) => navigate(projectPath(project)) })}
      busy={open.isPending}
      error={open.error}
    >
      <TextField
        label="Project id"
        value={id}
        onChange={setId}
        required
        autoComplete="off"
        hint="The server opens the directory as it is: with its files and captures, but without instances."
      />
    </FormDialog>
  )
}
