import {
  drawingRepositoryConformance,
  instanceRepositoryConformance,
  projectRepositoryConformance,
} from '@trivium/emulation-core/conformance'
import { describe, vi } from 'vitest'
import { conformanceStore } from '../../tests/conformance-store.ts'
import { allDatabases, hostDatabases, postgresKysely } from '../../tests/test-databases.ts'
import { migrateEmulation } from './migrate-emulation.ts'
import { sqlDrawings } from './sql-drawings.ts'
import { sqlInstances } from './sql-instances.ts'
import { sqlProjects } from './sql-projects.ts'

vi.setConfig({ testTimeout: 60_000 })

const tables = ['emulation_projects', 'emulation_instances', 'emulation_removals', 'emulation_drawings']

describe.each([...allDatabases, ...hostDatabases, ...postgresKysely])('$name', (kind) => {
  const open = conformanceStore({ kind, migrate: migrateEmulation, tables })
  const openOne = async () => {
    const [database] = await open(1)
    if (database === undefined) throw new Error('No database was opened')
    return database
  }
  projectRepositoryConformance(async () => sqlProjects(await openOne()))
  instanceRepositoryConformance(async () => sqlInstances(await openOne()))
  drawingRepositoryConformance(async () => sqlDrawings(await openOne()))
})
