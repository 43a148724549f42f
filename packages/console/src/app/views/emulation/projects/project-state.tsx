import { StatusMark } from '../../../components/status-mark.tsx'
import type { Project } from './project.ts'

/** Shows whether a project is open, closed or archived, and what is special about it. */
export function ProjectState({ project }: { readonly project: Project }) {
  const { status, archived, locked, temporary } = project
  const remarks = [locked && 'locked', temporary && 'deleted when it is closed'].filter(Boolean)
  return (
    <>
      <StatusMark tone={status === 'opened' ? 'good' : 'quiet'}>
        {archived ? 'archived' : status === 'opened' ? 'open' : 'closed'}
      </StatusMark>
      {remarks.length > 0 && <div className="quiet">{remarks.join(', ')}</div>}
    </>
  )
}
