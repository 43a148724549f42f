export type { MemoryProjectFilesOptions } from '@trivium/emulation-core/memory'
export {
  memoryEmulationRepositories,
  memoryInstances,
  memoryProjectFiles,
  memoryProjects,
} from '@trivium/emulation-core/memory'
