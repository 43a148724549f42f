import { expectOk } from '@trivium/http-client'
import { useState } from 'react'
import { CheckField, TextField } from '../../../components/field.tsx'
import { FormDialog } from '../../../components/form-dialog.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { useEmulation } from '../../../hooks/use-emulation.ts'
import { type Project, projectName } from './project.ts'

const MAX_MINUTES = 525_600

export interface ProjectDetailsDialogProps {
  readonly project: Project
  readonly onClose: () => void
}

/** Changes the details of a project. The fields of a locked one accept input when the lock is removed. */
export function ProjectDetailsDialog({ project, onClose }: ProjectDetailsDialogProps) {
  const emulation = useEmulation()
  const [name, setName] = useState(project.name ?? '')
  const [description, setDescription] = useState(project.description ?? '')
  const [author, setAuthor] = useState(project.author ?? '')
  const [locked, setLocked] = useState(project.locked)
  const [autoOpen, setAutoOpen] = useState(project.auto_open)
  const [autoStart, setAutoStart] = useState(project.auto_start)
  const [minutes, setMinutes] = useState(String(project.auto_stop_minutes))
  const isFixed = project.locked && locked
  const save = useAction(
    () =>
      expectOk(
        emulation.updateProject({
          params: { project_id: project.project_id },
          body: {
            // A project can have no name, and then keeps none.
            name: name.trim() || null,
            description,
            author: author.trim(),
            locked,
            auto_open: autoOpen,
            auto_start: autoStart,
            auto_stop_minutes: Number(minutes),
          },
        }),
      ),
    { quiet: true },
  )
  return (
    <FormDialog
      title={`Details of ${projectName(project)}`}
      onClose={onClose}
      submitLabel="Save"
      onSubmit={() => save.mutate(undefined, { onSuccess: onClose })}
      busy={save.isPending}
      disabled={isFixed}
      error={save.error}
    >
      <CheckField label="Locked: its instances and cables cannot be changed" checked={locked} onChange={setLocked} />
      {isFixed && <p className="quiet">Remove the lock to change the details.</p>}
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        required={project.name !== undefined}
        disabled={isFixed}
        autoComplete="off"
      />
      <TextField label="Description" value={description} onChange={setDescription} disabled={isFixed} rows={3} />
      <TextField label="Author" value={author} onChange={setAuthor} disabled={isFixed} autoComplete="off" />
      <CheckField
        label="Open the project when the server starts"
        checked={autoOpen}
        onChange={setAutoOpen}
        disabled={isFixed}
      />
      <CheckField
        label="Start the instances when the project is opened"
        checked={autoStart}
        onChange={setAutoStart}
        disabled={isFixed}
      />
      <TextField
        label="Stop the instances after minutes"
        type="number"
        value={minutes}
        onChange={setMinutes}
        required
        min={0}
        max={MAX_MINUTES}
        step={1}
        disabled={isFixed}
        hint="Since the last start of one of them; 0 for never"
      />
    </FormDialog>
  )
}
