import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { usageRepositoryConformance } from '@trivium/gateway-core/conformance'
import { openApplicationDatabase } from '../src/open-application-database.ts'
import { usageTable } from '../src/usage-table.ts'

usageRepositoryConformance((replicas) => {
  const file = join(mkdtempSync(join(tmpdir(), 'trivium-usage-')), 'application.sqlite')
  return Array.from({ length: replicas }, () => usageTable(openApplicationDatabase(file)))
})
