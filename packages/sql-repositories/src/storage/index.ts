export { migrateStorage } from './migrate-storage.ts'
export { sqlStorageRepositories } from './sql-storage-repositories.ts'
