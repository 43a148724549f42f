import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { Button } from '../../../components/button.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { Table } from '../../../components/table.tsx'
import { Section, View } from '../../../shell/view.tsx'
import { EmulationPages } from '../emulation-pages.tsx'
import { NewProjectDialog } from './new-project-dialog.tsx'
import { OpenProjectDialog } from './open-project-dialog.tsx'
import { type Project, projectName, projectPath, shortId } from './project.ts'
import { ProjectActions } from './project-actions.tsx'

export function ProjectsPage({ projects }: { readonly projects: UseQueryResult<readonly Project[]> }) {
  const [dialog, setDialog] = useState<'new' | 'open'>()
  const close = () => setDialog(undefined)
  const create = (
    <Button kind="primary" onClick={() => setDialog('new')}>
      New project
    </Button>
  )
  return (
    <View
      title="Emulation"
      actions={
        <div className="row">
          <Button onClick={() => setDialog('open')}>Open a closed project</Button>
          {create}
        </div>
      }
    >
      <EmulationPages />
      <Section title="Projects">
        <Loaded query={projects}>
          {(found) => (
            <Table
              caption="Open projects"
              rows={found}
              rowKey={({ project_id }) => project_id}
              empty={
                <EmptyState title="No project is open">
                  A project holds instances and the cables between them. Create one with <strong>New project</strong>.
                </EmptyState>
              }
              columns={[
                {
                  header: 'Project',
                  cell: (project) => (
                    <>
                      <Link href={projectPath(project)}>{projectName(project)}</Link>{' '}
                      {project.name !== undefined && <code className="quiet">{shortId(project)}</code>}
                    </>
                  ),
                  isName: true,
                },
                { header: 'Kept', cell: ({ temporary }) => (temporary ? 'until it is closed' : 'permanently') },
                { header: 'Directory', cell: ({ path }) => <code className="path">{path}</code> },
                { header: 'Actions', cell: (project) => <ProjectActions project={project} /> },
              ]}
            />
          )}
        </Loaded>
      </Section>
      {dialog === 'new' && <NewProjectDialog onClose={close} />}
      {dialog === 'open' && <OpenProjectDialog onClose={close} />}
    </View>
  )
}
