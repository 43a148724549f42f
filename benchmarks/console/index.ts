import { parseArgs } from 'node:util'
import { type Browser, chromium, type Page } from 'playwright-core'
import * as v from 'valibot'
import { startReferenceServer } from '../reference-server.ts'
import { writeReport } from '../report.ts'
import { openConsole } from './open-console.ts'

export const about = 'cost of open consoles for the server, in a browser (--consoles, --minutes, --browser)'

/** The time in which the consoles finish loading. */
const SETTLE_MS = 10_000

/** Outside of the default range, which other servers of the machine use. */
const TRIVIUM_CONSOLE_PORTS = '12000-12999'

const created = v.object({ project_id: v.string() })

/**
 * Measures the cost of open consoles for the server: its CPU time and memory in each minute, without a console and then
 * with some. Each shows a project with a virtual PC that another client starts and stops every 5 seconds.
 */
export default async function consoles(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: 'string' },
      consoles: { type: 'string', default: '10' },
      minutes: { type: 'string', default: '5' },
      browser: { type: 'string', default: '/usr/bin/chromium' },
    },
  })
  const server = await startReferenceServer({ environment: { TRIVIUM_CONSOLE_PORTS } })
  let browser: Browser | undefined
  try {
    const { project_id } = v.parse(created, JSON.parse(await server.ask('POST', '/v1/projects', {})))
    const vms = `/v1/projects/${project_id}/emu3/vms`
    const { vm_id } = v.parse(
      v.object({ vm_id: v.string() }),
      JSON.parse(await server.ask('POST', vms, { name: 'PC1' })),
    )
    const vm = `${vms}/${vm_id}`

    const alone = await measureMinute(server, vm)
    browser = await chromium.launch({ executablePath: values.browser, args: ['--no-sandbox', '--disable-gpu'] })
    const pages: Page[] = []
    for (let index = 0; index < Number(values.consoles); index += 1) {
      pages.push(await openConsole(browser, server.url, `/emulation/${project_id}`))
    }
    await pause(SETTLE_MS)
    const minutes: Minute[] = []
    for (let index = 0; index < Number(values.minutes); index += 1) minutes.push(await measureMinute(server, vm))
    const isLive = await Promise.all(pages.map((page) => page.getByRole('banner').getByText('Live').isVisible()))
    const result = { consoles: pages.length, live: isLive.filter(Boolean).length, alone, minutes }
    print(result)
    writeReport(values.json, 'console', result)
  } finally {
    await browser?.close()
    await server.stop()
  }
}

interface Minute {
  /** Percent of one core. */
  readonly cpuPercent: number
  readonly heapMegabytes: number
  readonly residentMegabytes: number
}

const MINUTE_MS = 60_000
const BETWEEN_CHANGES_MS = 5000

type Server = Awaited<ReturnType<typeof startReferenceServer>>

async function measureMinute(server: Server, vm: string): Promise<Minute> {
  const before = await server.account('collected')
  const start = performance.now()
  for (let change = 0; performance.now() - start < MINUTE_MS; change += 1) {
    await server.ask('POST', `${vm}/${change % 2 === 0 ? 'start' : 'stop'}`)
    await pause(BETWEEN_CHANGES_MS)
  }
  const after = await server.account('collected')
  const milliseconds = performance.now() - start
  return {
    cpuPercent: (after.cpuMicroseconds - before.cpuMicroseconds) / 10 / milliseconds,
    heapMegabytes: after.heapBytes / 2 ** 20,
    residentMegabytes: after.residentBytes / 2 ** 20,
  }
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

function print({
  consoles,
  live,
  alone,
  minutes,
}: { readonly [Name in 'consoles' | 'live']: number } & {
  readonly alone: Minute
  readonly minutes: readonly Minute[]
}): void {
  const line = (name: string, { cpuPercent, heapMegabytes, residentMegabytes }: Minute) =>
    console.log(
      `${name.padEnd(28)} ${cpuPercent.toFixed(2)} % of a core, heap ${heapMegabytes.toFixed(1)} MiB, resident ${residentMegabytes.toFixed(0)} MiB`,
    )
  line('no console open', alone)
  for (const [index, minute] of minutes.entries()) line(`${consoles} consoles, minute ${index + 1}`, minute)
  console.log(`${live} of ${consoles} consoles were live at the end`)
}
