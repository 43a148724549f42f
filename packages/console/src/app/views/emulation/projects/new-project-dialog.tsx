import { expectOk } from '@trivium/http-client'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { ErrorNote, errorWords } from '../../../components/error-note.tsx'
import { CheckField, TextField } from '../../../components/field.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { useEmulation } from '../../../hooks/use-emulation.ts'
import { projectPath } from './project.ts'

export function NewProjectDialog({ onClose }: { readonly onClose: () => void }) {
  const emulation = useEmulation()
  const [, go] = useLocation()
  const [temporary, setTemporary] = useState(false)
  const [path, setPath] = useState('')
  const create = useAction(
    () => expectOk(emulation.createProject({ body: { temporary, path: path.trim() === '' ? null : path.trim() } })),
    { quiet: true },
  )
  return (
    <Dialog title="New project" onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate(undefined, { onSuccess: (project) => go(projectPath(project)) })
        }}
      >
        <CheckField label="Delete it when it is closed" checked={temporary} onChange={setTemporary} />
        <TextField
          label="Directory"
          value={path}
          onChange={setPath}
          autoComplete="off"
          placeholder="one of its own, made by the server"
          hint="Only for a server that lets its clients choose."
        />
        {create.isError && <ErrorNote>{errorWords(create.error)}</ErrorNote>}
        <div className="actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={create.isPending}>
            Create
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
