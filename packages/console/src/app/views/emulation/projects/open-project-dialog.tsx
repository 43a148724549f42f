import { expectOk } from '@trivium/http-client'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { ErrorNote, errorWords } from '../../../components/error-note.tsx'
import { TextField } from '../../../components/field.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { useEmulation } from '../../../hooks/use-emulation.ts'
import { projectPath } from './project.ts'

export function OpenProjectDialog({ onClose }: { readonly onClose: () => void }) {
  const emulation = useEmulation()
  const [, go] = useLocation()
  const [id, setId] = useState('')
  const open = useAction(() => expectOk(emulation.createProject({ body: { project_id: id.trim() } })), { quiet: true })
  return (
    <Dialog title="Open a closed project" onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          open.mutate(undefined, { onSuccess: (project) => go(projectPath(project)) })
        }}
      >
        <TextField
          label="Project id"
          value={id}
          onChange={setId}
          required
          autoComplete="off"
          hint="The server takes the directory as it finds it: files and captures are there again, instances are not."
        />
        {open.isError && <ErrorNote>{errorWords(open.error)}</ErrorNote>}
        <div className="actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={open.isPending}>
            Open
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
