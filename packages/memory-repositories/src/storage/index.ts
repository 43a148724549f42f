export { memoryStorageRepositories } from '@trivium/storage-core/memory'
