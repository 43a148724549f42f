import { storageRepositoriesConformance } from '@trivium/storage-core/conformance'
import { memoryStorageRepositories } from './memory-storage-repositories.ts'

storageRepositoriesConformance((replicas) => {
  const repositories = memoryStorageRepositories()
  return Array.from({ length: replicas }, () => repositories)
})
