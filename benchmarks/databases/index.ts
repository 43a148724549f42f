import { parseArgs } from 'node:util'
import { writeReport } from '../report.ts'
import { benchmarkStores } from './benchmark-stores.ts'
import { emulationOperations } from './emulation-operations.ts'
import { type Measured, measure, print } from './figures.ts'
import { gatewayOperations } from './gateway-operations.ts'
import { limitOperations } from './limit-operations.ts'
import { storageOperations } from './storage-operations.ts'

export const about = 'cost of each database on the hot paths, compared with its driver alone (--only NAME, --rules)'

/**
 * Measures the hot paths on each database, and the same work with its driver alone. `--rules` sets the number of quota
 * rules, `--only` selects databases by the beginnings of their names.
 */
export default async function databases(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: 'string' },
      rules: { type: 'string', default: '20000' },
      rounds: { type: 'string', default: '5' },
      only: { type: 'string', multiple: true },
    },
  })
  const { only } = values
  const results: Measured[] = []
  for await (const { name, gateway, limiter, storage, emulation, bare } of benchmarkStores()) {
    if (only !== undefined && !only.some((begin) => name.toLowerCase().startsWith(begin.toLowerCase()))) continue
    const operations = [
      ...(gateway ? await gatewayOperations(gateway, bare) : []),
      ...(limiter ? limitOperations(limiter) : []),
      ...(storage ? await storageOperations(storage, Number(values.rules), bare) : []),
      ...(emulation ? await emulationOperations(emulation, bare) : []),
    ]
    const measured = await measure(name, operations, Number(values.rounds))
    results.push(...measured)
    print(measured)
  }
  writeReport(values.json, 'databases', results)
}
