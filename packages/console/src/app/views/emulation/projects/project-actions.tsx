import { expectOk } from '@trivium/http-client'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { useConfirm } from '../../../components/confirm.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { useEmulation } from '../../../hooks/use-emulation.ts'
import { storedPositions } from '../canvas/positions.ts'
import { type Project, projectName } from './project.ts'
import { RenameProjectDialog } from './rename-project-dialog.tsx'

export interface ProjectActionsProps {
  readonly project: Project
  /** Called when the project was closed or deleted. */
  readonly onRemoved?: () => void
}

export function ProjectActions({ project, onRemoved }: ProjectActionsProps) {
  const emulation = useEmulation()
  const confirm = useConfirm()
  const params = { project_id: project.project_id }
  const name = projectName(project)
  const [isRenaming, setIsRenaming] = useState(false)
  const commit = useAction(() => expectOk(emulation.commitProject({ params })), {
    done: 'The project is committed. The files of deleted instances are removed.',
  })
  const close = useAction(async () => {
    const agreed = await confirm({
      title: `Close ${name}?`,
      body: project.temporary
        ? 'The project is temporary. Its instances are stopped, and its directory is deleted.'
        : 'Its instances are stopped and removed. Its directory stays, and the project can be opened again by its id.',
      action: 'Close',
    })
    if (!agreed) return
    await expectOk(emulation.closeProject({ params }))
    onRemoved?.()
  })
  const remove = useAction(async () => {
    const agreed = await confirm({
      title: `Delete ${name}?`,
      body: 'Its instances are stopped, and its directory with all disks, configurations and captures is deleted.',
      action: 'Delete',
    })
    if (!agreed) return
    await expectOk(emulation.deleteProject({ params }))
    storedPositions.remove(project.project_id)
    onRemoved?.()
  })
  return (
    <>
      <div className="row tight">
        <Button onClick={() => setIsRenaming(true)} aria-label={`Rename ${name}`}>
          Rename
        </Button>
        <Button onClick={() => commit.mutate()} busy={commit.isPending} aria-label={`Commit ${name}`}>
          Commit
        </Button>
        <Button onClick={() => close.mutate()} busy={close.isPending} aria-label={`Close ${name}`}>
          Close
        </Button>
        <Button kind="danger" onClick={() => remove.mutate()} busy={remove.isPending} aria-label={`Delete ${name}`}>
          Delete
        </Button>
      </div>
      {isRenaming && <RenameProjectDialog project={project} onClose={() => setIsRenaming(false)} />}
    </>
  )
}
