import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { fetchHandler } from '@trivium/fetch-adapter'
import { adminCheck } from '@trivium/http-contract'
import { openLinuxVolume } from '@trivium/linux-volumes'
import { createStorage } from '@trivium/storage-core'
import { storageRoutes } from '@trivium/storage-core/http'
import * as v from 'valibot'
import { writeReport } from '../report.ts'
import { columnsOf, type Spread, spreadOf } from '../spread.ts'
import { bars } from './bars.ts'
import { cpuWithPrograms } from './cpu-time.ts'
import { type LoopMount, mountBtrfs } from './loop-mount.ts'

export const about = 'quotas and reports of 1,000 qtrees on btrfs in a loop mount, as root (--qtrees, --files)'

export interface BtrfsResult {
  readonly work: string
  /** Milliseconds until it is done. */
  readonly elapsed: Spread
  /** Milliseconds of CPU time, with that of the programs. */
  readonly cpu: Spread
}

/** After so long without a write, results of the idle check are kept. */
const QUIET_MS = 50_000
const IDLE_CHECKS = 20
const AUTHORIZATION = `Basic ${btoa('admin:secret')}`
const REPORTS = '/api/storage/quota/reports'

/** Measures one process with one volume, and the programs that it runs. */
export default async function btrfs(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: 'string' },
      qtrees: { type: 'string', default: '1000' },
      files: { type: 'string', default: '20' },
      rounds: { type: 'string', default: '5' },
    },
  })
  const [qtrees, files, rounds] = [Number(values.qtrees), Number(values.files), Number(values.rounds)]
  let mount: LoopMount
  try {
    mount = mountBtrfs()
  } catch (error) {
    console.error(`btrfs: no loop mount here, it is skipped: ${error instanceof Error ? error.message : error}`)
    return
  }
  try {
    const results = await measure(mount.directory, { qtrees, files, rounds })
    print(results, qtrees)
    writeReport(values.json, 'btrfs', { qtrees, files, work: results })
  } finally {
    mount.unmount()
  }
}

interface Size {
  readonly qtrees: number
  readonly files: number
  readonly rounds: number
}

async function measure(directory: string, { qtrees, files, rounds }: Size): Promise<readonly BtrfsResult[]> {
  const samples = new Map<string, { readonly elapsed: number[]; readonly cpu: number[] }>()
  const time = async <Result>(work: string, step: () => Promise<Result>, times = 1): Promise<Result> => {
    const [start, cpu] = [performance.now(), cpuWithPrograms()]
    const result = await step()
    const sample = samples.get(work) ?? { elapsed: [], cpu: [] }
    samples.set(work, sample)
    sample.elapsed.push((performance.now() - start) / times)
    sample.cpu.push((cpuWithPrograms() - cpu) / times)
    return result
  }
  const open = async (intervals: { readonly inspectSeconds?: number; readonly usageSeconds?: number }) =>
    createStorage({ volumes: [{ name: 'data', backend: await openLinuxVolume({ directory }) }], ...intervals })

  const filling = await openLinuxVolume({ directory })
  for (let index = 0; index < qtrees; index += 1) {
    await filling.createQtree(`qtree${index}`, { unixPermissions: 755 })
    mkdirSync(join(directory, `qtree${index}`, 'inner'))
    for (let file = 0; file < files; file += 1) {
      writeFileSync(join(directory, `qtree${index}`, file % 2 === 0 ? 'inner' : '', `file${file}`), 'x'.repeat(5_000))
    }
  }

  for (let round = 0; round < rounds; round += 1) {
    const storage = await open({})
    await storage.start()
    const handle = fetchHandler(storageRoutes(storage, { admin: adminCheck('secret') }))
    const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
      const request = new Request(`http://localhost${path}`, {
        method,
        headers: { authorization: AUTHORIZATION, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
      const response = await handle(request)
      if (!response?.ok) throw new Error(`${method} ${path}: ${response?.status} ${await response?.text()}`)
      return response.json()
    }
    const expectReports = async (query: string, expected: number) => {
      const { num_records } = v.parse(v.object({ num_records: v.number() }), await ask('GET', `${REPORTS}?${query}`))
      if (num_records !== expected) throw new Error(`${query}: ${num_records} of ${expected} reports were listed`)
    }
    const target = { svm: { name: 'svm1' }, volume: { name: 'data' }, type: 'tree', qtree: { name: '' } }
    await ask('POST', '/api/storage/quota/rules?return_timeout=15', { ...target, space: { hard_limit: '1G' } })
    const volumes = v.object({ records: v.tuple([v.object({ uuid: v.string() })]) })
    const { records } = v.parse(volumes, await ask('GET', '/api/storage/volumes'))
    const volume = `/api/storage/volumes/${records[0].uuid}?return_timeout=120`
    await time('quotas on', () => ask('PATCH', volume, { quota: { enabled: true } }))
    const all = qtrees + 1
    await time('first reports after a start', () => expectReports('fields=space', all))
    await time('reports of every qtree', () => expectReports('fields=space', all))
    await time('report of one qtree by its name', () => expectReports('qtree.name=qtree7&fields=space', 1))
    await time('report of one qtree, with its files', () => expectReports('qtree.name=qtree7&fields=*', 1))
    await time('reports of every qtree, with files', () => expectReports('fields=*', all))
    await time('quotas off', () => ask('PATCH', volume, { quota: { enabled: false } }))
    if (round === rounds - 1) await ask('PATCH', volume, { quota: { enabled: true } })
    await storage.close()
  }
  await measureIdleCheck()
  return [...samples].map(([work, { elapsed, cpu }]) => ({ work, elapsed: spreadOf(elapsed), cpu: spreadOf(cpu) }))

  /** Calls what runs in the background every 60 seconds, first while it still compares and then without a change. */
  async function measureIdleCheck(): Promise<void> {
    const backend = await openLinuxVolume({ directory })
    const names = await backend.listQtrees()
    const limits = names.map((qtree) => ({ target: { kind: 'tree', qtree }, limits: { spaceHard: 2 ** 30 } }) as const)
    const check = async () => {
      const condition = await backend.inspect({ qtrees: names, limits })
      if (condition.state !== 'online' || condition.lost.length > 0) throw new Error('a limit is lost')
    }
    await time('check of the limits after a change', check)
    await setTimeout(QUIET_MS)
    await check()
    for (let round = 0; round < rounds; round += 1) {
      await time(
        'check of the limits without a change',
        async () => {
          for (let index = 0; index < IDLE_CHECKS; index += 1) await check()
        },
        IDLE_CHECKS,
      )
    }
  }
}

function print(results: readonly BtrfsResult[], qtrees: number): void {
  console.table(
    Object.fromEntries(
      results.map(({ work, elapsed, cpu }) => [
        work,
        {
          ...columnsOf(elapsed, 'ms', 0),
          'CPU ms': cpu.median.toFixed(1),
          bar: (qtrees === 1_000 && bars[work]?.toFixed(0)) || '',
        },
      ]),
    ),
  )
}
