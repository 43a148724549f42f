import { useState } from 'react'
import { Link } from 'wouter'
import { Button } from '../../../components/button.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { CheckField } from '../../../components/field.tsx'
import { formatTime } from '../../../components/format.ts'
import { Loaded } from '../../../components/loaded.tsx'
import { Table } from '../../../components/table.tsx'
import { Section, View } from '../../../shell/view.tsx'
import { EmulationPages } from '../emulation-pages.tsx'
import { NewProjectDialog } from './new-project-dialog.tsx'
import { type Project, projectName, projectPath, shortId } from './project.ts'
import { ProjectActions } from './project-actions.tsx'
import { ProjectState } from './project-state.tsx'
import { useProjects } from './use-projects.ts'

export function ProjectsPage() {
  const projects = useProjects({ countsInstances: true })
  const [isCreating, setIsCreating] = useState(false)
  const [withArchived, setWithArchived] = useState(false)
  return (
    <View
      title="Emulation"
      actions={
        <Button kind="primary" onClick={() => setIsCreating(true)}>
          New project
        </Button>
      }
    >
      <EmulationPages />
      <Section
        title="Projects"
        actions={<CheckField label="Show archived projects" checked={withArchived} onChange={setWithArchived} />}
      >
        <Loaded query={projects}>
          {(found) => (
            <div className="projects-table">
              <Table
                caption="All projects"
                rows={withArchived ? found : found.filter(({ archived }) => !archived)}
                rowKey={({ project_id }) => project_id}
                empty={
                  <EmptyState title={found.length === 0 ? 'No projects yet' : 'All projects are archived'}>
                    A project holds instances and the cables between them. Create one with <strong>New project</strong>.
                  </EmptyState>
                }
                columns={[
                  { header: 'Project', cell: nameOf, isName: true },
                  { header: 'State', cell: (project) => <ProjectState project={project} /> },
                  { header: 'Instances', cell: instancesOf },
                  { header: 'Changed', cell: ({ changed_at }) => formatTime(changed_at) },
                  { header: 'Directory', cell: ({ path }) => <code className="path">{path}</code> },
                  { header: 'Actions', cell: (project) => <ProjectActions project={project} /> },
                ]}
              />
            </div>
          )}
        </Loaded>
      </Section>
      {isCreating && <NewProjectDialog onClose={() => setIsCreating(false)} />}
    </View>
  )
}

const nameOf = (project: Project) => (
  <>
    <Link href={projectPath(project)}>{projectName(project)}</Link>{' '}
    {project.name !== undefined && <code className="quiet">{shortId(project)}</code>}
  </>
)

const instancesOf = ({ nodes, nodes_running: running }: Project) =>
  running === 0 ? String(nodes) : `${nodes}, ${running} running`
