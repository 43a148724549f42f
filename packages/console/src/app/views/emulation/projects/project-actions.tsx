import { expectOk } from '@trivium/http-client'
import { Button } from '../../../components/button.tsx'
import { useConfirm } from '../../../components/confirm.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { useEmulation } from '../../../hooks/use-emulation.ts'
import { keptPositions } from '../canvas/positions.ts'
import { type Project, projectName } from './project.ts'

export interface ProjectActionsProps {
  readonly project: Project
  /** Called when it is closed or deleted. */
  readonly onGone?: () => void
}

export function ProjectActions({ project, onGone }: ProjectActionsProps) {
  const emulation = useEmulation()
  const confirm = useConfirm()
  const params = { project_id: project.project_id }
  const name = projectName(project)
  const commit = useAction(() => expectOk(emulation.commitProject({ params })), {
    done: 'Committed: the files of deleted instances are gone',
  })
  const close = useAction(async () => {
    const agreed = await confirm({
      title: `Close ${name}?`,
      body: project.temporary
        ? 'Its instances are stopped, and everything in it is deleted: it is temporary.'
        : 'Its instances are stopped and forgotten. Its directory stays, and can be opened again by its id.',
      action: 'Close',
    })
    if (!agreed) return
    await expectOk(emulation.closeProject({ params }))
    onGone?.()
  })
  const remove = useAction(async () => {
    const agreed = await confirm({
      title: `Delete ${name}?`,
      body: 'Its instances are stopped, and its directory with all disks, configurations and captures is deleted.',
      action: 'Delete',
    })
    if (!agreed) return
    await expectOk(emulation.deleteProject({ params }))
    keptPositions.forget(project.project_id)
    onGone?.()
  })
  return (
    <div className="row tight">
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
  )
}
