import { parseArgs } from 'node:util'
import { writeReport } from '../report.ts'
import { benchmarkStores } from './benchmark-stores.ts'
import { emulationOperations } from './emulation-operations.ts'
import { type Measured, measure, print } from './figures.ts'
import { gatewayOperations } from './gateway-operations.ts'
import { limitOperations } from './limit-operations.ts'
import { storageOperations } from './storage-operations.ts'

export const about = 'what each database costs on the hot paths beside its driver alone (--only NAME, --rules)'

/**
 * What the hot paths cost on each database, beside the same work by its driver alone. `--rules` sets how many quota
 * rules there are, `--only` picks databases by their names' beginnings.
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
