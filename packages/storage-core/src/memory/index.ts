export { memoryStorageRepositories } from './memory-storage-repositories.ts'
