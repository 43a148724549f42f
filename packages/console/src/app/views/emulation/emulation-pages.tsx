import { SubNavigation } from '../../components/sub-navigation.tsx'

const pages = [
  { path: '/emulation', name: 'Projects' },
  { path: '/emulation/disk-images', name: 'Disk images' },
]

/** Shows links to the pages that belong to no project. */
export const EmulationPages = () => <SubNavigation label="Emulation" pages={pages} />
