import { storageRepositoriesConformance } from '../conformance/index.ts'
import { memoryStorageRepositories } from './memory-storage-repositories.ts'

storageRepositoriesConformance((replicas) => {
  const repositories = memoryStorageRepositories()
  return Array.from({ length: replicas }, () => repositories)
})
