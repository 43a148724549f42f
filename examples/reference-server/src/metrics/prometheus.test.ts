import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { emulationMetrics } from '@trivium/emulation-core/ports'
import { gatewayMetrics } from '@trivium/gateway-core/ports'
import { storageMetrics } from '@trivium/storage-core/ports'
import { expect, it } from 'vitest'
import { auditMetrics } from '../audit/audit-metrics.ts'
import { prometheusMetrics } from './prometheus.ts'

const definitions = [gatewayMetrics, emulationMetrics, storageMetrics, auditMetrics].flatMap((of) => Object.values(of))

it('exports every metric of every service under the name that docs/metrics.md lists', async () => {
  const metrics = prometheusMetrics()
  for (const definition of definitions) metrics.recorder.record(definition, 1, {})
  const shown = [...(await metrics.text()).matchAll(/^# TYPE ((?:trivium|gen_ai)_\S+)/gm)].map(([, name = '']) => name)
  expect(shown).toHaveLength(definitions.length + 1)
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/metrics.md'), 'utf8')
  expect(shown.filter((name) => !page.includes(`| \`${name}\` |`))).toEqual([])
})

it('exports the last value of a gauge and the sum of a counter', async () => {
  const { recorder, text } = prometheusMetrics()
  for (const value of [5, 2]) {
    recorder.record(emulationMetrics.running, value, { kind: 'machine' })
    recorder.record(emulationMetrics.logged, value, { kind: 'machine' })
  }
  const shown = await text()
  expect(shown).toContain('\ntrivium_emulation_instance_running{kind="machine"} 2\n')
  expect(shown).toContain('\ntrivium_emulation_log_written_bytes_total{kind="machine"} 7\n')
})

it('exports the values of a gauge that replaced the earlier ones', async () => {
  const { recorder, text } = prometheusMetrics()
  const of = (target: string) => ({ volume: 'vol1', target })
  const [one, other] = [of('one'), of('other')]
  recorder.replace?.(storageMetrics.quotaUsed, [
    { value: 5, labels: one },
    { value: 6, labels: other },
  ])
  recorder.replace?.(storageMetrics.quotaUsed, [{ value: 7, labels: other }])
  const shown = await text()
  expect(shown).toContain('\ntrivium_storage_quota_used_bytes{volume="vol1",target="other"} 7\n')
  expect(shown).not.toContain('target="one"')
})
