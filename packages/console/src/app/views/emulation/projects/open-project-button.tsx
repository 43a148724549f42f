import { expectOk } from '@trivium/http-client'
import { Button } from '../../../components/button.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { useEmulation } from '../../../hooks/use-emulation.ts'
import { type Project, projectName } from './project.ts'

/** Opens a closed project. Ends first that an archived one is archived, and leaves it closed. */
export function OpenProjectButton({ project }: { readonly project: Project }) {
  const emulation = useEmulation()
  const params = { project_id: project.project_id }
  const name = projectName(project)
  const open = useAction(() => expectOk(emulation.openProject({ params })))
  const restore = useAction(() => expectOk(emulation.updateProject({ params, body: { archived: false } })))
  const [label, action] = project.archived ? (['Restore', restore] as const) : (['Open', open] as const)
  return (
    <Button onClick={() => action.mutate()} busy={action.isPending} aria-label={`${label} ${name}`}>
      {label}
    </Button>
  )
}
