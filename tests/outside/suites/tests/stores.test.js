import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDirectoryProjectFiles } from '@trivium/embedded-emulators'
import {
  drawingRepositoryConformance,
  instanceRepositoryConformance,
  projectFilesConformance,
  projectRepositoryConformance,
} from '@trivium/emulation-core/conformance'
import {
  apiKeyRepositoryConformance,
  budgetRepositoryConformance,
  keyInvalidationsConformance,
  rateLimiterConformance,
  usageRepositoryConformance,
} from '@trivium/gateway-core/conformance'
import { openDatabase } from '@trivium/sql-repositories'
import { migrateEmulation, sqlEmulationRepositories } from '@trivium/sql-repositories/emulation'
import { migrateGateway, sqlGatewayRepositories } from '@trivium/sql-repositories/gateway'
import { migrateStorage, sqlStorageRepositories } from '@trivium/sql-repositories/storage'
import { storageRepositoriesConformance } from '@trivium/storage-core/conformance'
import { expect, it } from 'vitest'

// Stores in files of the SQLite that the runtime has, in the runtime that runs Vitest.

const directory = mkdtempSync(join(tmpdir(), 'trivium-stores-'))
let opened = 0

/** Opens replicas over one fresh file. */
const replicasOf = (migrate, repositoriesOf, port) => async (replicas) => {
  opened += 1
  const url = `sqlite:${join(directory, `${opened}.sqlite`)}`
  const open = async () => {
    const database = await openDatabase(url)
    await migrate(database)
    const repositories = repositoriesOf(database)
    return port === undefined ? repositories : repositories[port]
  }
  return Promise.all(Array.from({ length: replicas }, open))
}

const gatewayPort = (port) => replicasOf(migrateGateway, sqlGatewayRepositories, port)
const emulationPort = (port) => async () => (await replicasOf(migrateEmulation, sqlEmulationRepositories, port)(1))[0]

it('runs in the runtime under test', () => {
  const name = process.versions.bun ? 'bun' : process.versions.deno ? 'deno' : 'node'
  expect(name).toBe(process.env.TRIVIUM_RUNTIME ?? 'node')
})

apiKeyRepositoryConformance(gatewayPort('apiKeys'))
rateLimiterConformance(gatewayPort('rateLimiter'))
budgetRepositoryConformance(gatewayPort('budgets'))
usageRepositoryConformance(gatewayPort('usage'))
keyInvalidationsConformance(gatewayPort('keyInvalidations'))
projectRepositoryConformance(emulationPort('projects'))
instanceRepositoryConformance(emulationPort('instances'))
drawingRepositoryConformance(emulationPort('drawings'))
projectFilesConformance(() => openDirectoryProjectFiles({ location: mkdtempSync(join(directory, 'projects-')) }))
storageRepositoriesConformance(replicasOf(migrateStorage, sqlStorageRepositories))
