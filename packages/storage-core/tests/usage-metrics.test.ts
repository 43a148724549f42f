import { describe, expect, it } from 'vitest'
import type { VolumeId } from '../src/volumes/volume.ts'
import { openHttp, VOLUMES } from './open-http.ts'
import { createQtree, MiB, setQuota } from './open-storage.ts'

const REPORTS = '/api/storage/quota/reports'
const SECONDS = 300

/** Opens a volume with a report, and records an hour and a half of samples of both. */
async function open() {
  const http = await openHttp()
  const { storage, repositories, vol1, clock } = http
  await createQtree(http, 'qt1')
  await storage.quotaRules.create({ svm: { name: 'svm1' }, volume: { name: 'vol1' }, type: 'tree', qtree: 'qt1' })
  await setQuota(http, true)
  const [report] = (await storage.quotaReports.ofVolume(vol1)).unwrapOr([])
  const reports = (await http.get(`${REPORTS}?fields=index`)).body.records
  const index: number = report?.index ?? reports[0].index
  for (let turn = 17; turn >= 0; turn -= 1) {
    const at = new Date(clock.now().getTime() - turn * SECONDS * 1000)
    const start = new Date(Math.floor(at.getTime() / 300_000) * 300_000)
    await repositories.usageHistory.record(vol1.uuid, start, SECONDS, [
      { used: turn * MiB, size: 64 * MiB, available: (64 - turn) * MiB },
      { target: index, used: turn, files: 2 * turn },
    ])
  }
  return { http, ofVolume: `${VOLUMES}/${vol1.uuid}/metrics`, ofReport: `${REPORTS}/${vol1.uuid}/${index}/metrics` }
}

describe('metrics', () => {
  it('lists the samples of the last hour in the order of time by default', async () => {
    const { http, ofVolume, ofReport } = await open()
    const { status, body } = await http.get(ofVolume)
    expect(status).toBe(200)
    expect(body.num_records).toBe(12)
    expect(body.records[0]).toEqual({
      timestamp: '2026-01-02T02:05:00+00:00',
      duration: 'PT5M',
      status: 'ok',
      space: { size: 64 * MiB, available: 53 * MiB, used: 11 * MiB, used_peak: 11 * MiB },
    })
    expect(body.records.at(-1).timestamp).toBe('2026-01-02T03:00:00+00:00')
    expect((await http.get(ofReport)).body.records[0]).toEqual({
      timestamp: '2026-01-02T02:05:00+00:00',
      duration: 'PT5M',
      status: 'ok',
      space: { used: 11, used_peak: 11 },
      files: { used: 22, used_peak: 22 },
    })
  })

  it.each([
    ['1h', 12, 'PT5M'],
    ['1d', 18, 'PT5M'],
    ['1w', 4, 'PT30M'],
    ['1m', 2, 'PT2H'],
    ['1y', 1, 'P1D'],
  ])('lists the points of %s', async (interval, count, duration) => {
    const { http, ofReport } = await open()
    const { body } = await http.get(`${ofReport}?interval=${interval}`)
    expect([body.num_records, body.records[0].duration]).toEqual([count, duration])
    expect((await http.get(`${ofReport}?interval=${interval}&return_records=false`)).body.num_records).toBe(count)
  })

  it('has fields, filters, orders and pages as other lists', async () => {
    const { http, ofReport } = await open()
    const selected = await http.get(`${ofReport}?interval=1d&fields=space.used&order_by=space.used desc&max_records=2`)
    expect(selected.body.records).toEqual([
      { timestamp: '2026-01-02T01:35:00+00:00', space: { used: 17 } },
      { timestamp: '2026-01-02T01:40:00+00:00', space: { used: 16 } },
    ])
    const next = await http.get(selected.body._links.next.href)
    expect(next.body.records.map(({ space }: { space: { used: number } }) => space.used)).toEqual([15, 14])
    const filtered = await http.get(`${ofReport}?interval=1d&space.used=>=16&duration=PT5M&status=ok`)
    expect(filtered.body.num_records).toBe(2)
    expect((await http.get(`${ofReport}?interval=1d&timestamp=>=2026-01-02T02:55:00Z`)).body.num_records).toBe(2)
    expect((await http.get(`${ofReport}?status=!ok`)).body.num_records).toBe(0)
  })

  it('refuses another interval and unknown fields', async () => {
    const { http, ofVolume } = await open()
    const { status, body } = await http.get(`${ofVolume}?interval=2h`)
    expect([status, body.error.target, body.error.message]).toEqual([
      400,
      'interval',
      '"2h" is an invalid value for field "interval".',
    ])
    expect((await http.get(`${ofVolume}?interval=1h&interval=1d`)).status).toBe(400)
    expect((await http.get(`${ofVolume}?fields=iops.total`)).status).toBe(400)
    expect((await http.get(`${ofVolume}?fields=iops.total&ignore_unknown_fields=true`)).status).toBe(200)
    expect((await http.get(`${VOLUMES}?interval=1h`)).status).toBe(400)
  })

  it('returns 404 for a volume and a report that do not exist', async () => {
    const { http, ofVolume, ofReport } = await open()
    expect((await http.get(ofVolume.replace(/volumes\/[^/]+/, 'volumes/x'))).status).toBe(404)
    expect((await http.get(ofReport.replace(/\d+\/metrics$/, '7/metrics'))).status).toBe(404)
    expect((await http.get(ofReport.replace(/\d+\/metrics$/, 'x/metrics'))).status).toBe(404)
  })

  it('returns an empty list for a report without samples', async () => {
    const { http, ofReport } = await open()
    const fresh = await openHttp({ repositories: { ...http.repositories, usageHistory: emptyHistory(http) } })
    const { status, body } = await fresh.get(ofReport)
    expect([status, body.num_records]).toEqual([200, 0])
  })
})

const emptyHistory = ({ repositories: { usageHistory } }: Awaited<ReturnType<typeof open>>['http']) => ({
  ...usageHistory,
  has: async (_: VolumeId) => false,
})
