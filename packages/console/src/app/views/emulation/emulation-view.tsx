import { useRoute } from 'wouter'
import { DiskImagesPage } from './disk-images/disk-images-page.tsx'
import { ProjectPage } from './projects/project-page.tsx'
import { ProjectsPage } from './projects/projects-page.tsx'
import './emulation.css'

export default function EmulationView() {
  const [, place] = useRoute('/emulation/:project')
  const id = place?.project
  if (id === 'disk-images') return <DiskImagesPage />
  return id === undefined ? <ProjectsPage /> : <ProjectPage key={id} projectId={id} />
}
