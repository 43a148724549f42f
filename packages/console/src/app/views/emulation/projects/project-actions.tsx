import { expectOk } from '@trivium/http-client'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { useConfirm } from '../../../components/confirm.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { useEmulation } from '../../../hooks/use-emulation.ts'
import { storedPositions } from '../canvas/positions.ts'
import { DuplicateProjectDialog } from './duplicate-project-dialog.tsx'
import { OpenProjectButton } from './open-project-button.tsx'
import { type Project, projectName } from './project.ts'
import { ProjectDetailsDialog } from './project-details-dialog.tsx'

export interface ProjectActionsProps {
  readonly project: Project
  /** Called when the project was deleted, also because it was temporary and is closed. */
  readonly onRemoved?: () => void
}

export function ProjectActions({ project, onRemoved }: ProjectActionsProps) {
  const emulation = useEmulation()
  const confirm = useConfirm()
  const params = { project_id: project.project_id }
  const name = projectName(project)
  const isOpen = project.status === 'opened'
  const [dialog, setDialog] = useState<'details' | 'duplicate'>()
  const leave = () => setDialog(undefined)
  const commit = useAction(() => expectOk(emulation.commitProject({ params })), {
    done: 'The project is committed. The files of deleted instances are removed.',
  })
  const removed = () => {
    storedPositions.remove(project.project_id)
    onRemoved?.()
  }
  const close = useAction(async () => {
    const agreed = await confirm({
      title: `Close ${name}?`,
      body: project.temporary
        ? 'The project is temporary. Its instances are stopped, and its directory is deleted.'
        : 'Its instances are stopped. The project stays with its instances, cables and files, and can be opened again.',
      action: 'Close',
    })
    if (!agreed) return
    await expectOk(emulation.closeProject({ params }))
    if (project.temporary) removed()
  })
  const archive = useAction(async () => {
    const agreed = await confirm({
      title: `Archive ${name}?`,
      body: 'Its instances are stopped, and the project is closed. It stays with all files, and can be restored.',
      action: 'Archive',
    })
    if (agreed) await expectOk(emulation.updateProject({ params, body: { archived: true } }))
  })
  const remove = useAction(async () => {
    const agreed = await confirm({
      title: `Delete ${name}?`,
      body: 'Its instances are stopped, and its directory with all disks, configurations and captures is deleted.',
      action: 'Delete',
    })
    if (!agreed) return
    await expectOk(emulation.deleteProject({ params }))
    removed()
  })
  const lock = project.locked ? { disabled: true, title: 'The project is locked. Unlock it in Details.' } : {}
  const running =
    project.nodes_running > 0 ? { disabled: true, title: 'The project runs. Stop its instances first.' } : {}
  return (
    <>
      <div className="row tight">
        {isOpen ? (
          <Button onClick={() => close.mutate()} busy={close.isPending} aria-label={`Close ${name}`}>
            Close
          </Button>
        ) : (
          <OpenProjectButton project={project} />
        )}
        <Button onClick={() => setDialog('details')} aria-label={`Details of ${name}`}>
          Details
        </Button>
        <Button {...running} onClick={() => setDialog('duplicate')} aria-label={`Duplicate ${name}`}>
          Duplicate
        </Button>
        <Button onClick={() => commit.mutate()} busy={commit.isPending} aria-label={`Commit ${name}`}>
          Commit
        </Button>
        {!project.archived && (
          <Button {...lock} onClick={() => archive.mutate()} busy={archive.isPending} aria-label={`Archive ${name}`}>
            Archive
          </Button>
        )}
        <Button
          {...lock}
          kind="danger"
          onClick={() => remove.mutate()}
          busy={remove.isPending}
          aria-label={`Delete ${name}`}
        >
          Delete
        </Button>
      </div>
      {dialog === 'details' && <ProjectDetailsDialog project={project} onClose={leave} />}
      {dialog === 'duplicate' && <DuplicateProjectDialog project={project} onClose={leave} />}
    </>
  )
}
