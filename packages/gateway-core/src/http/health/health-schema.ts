import * as v from 'valibot'
import type { SchemaOf } from '../fields.ts'

const status = v.picklist(['healthy', 'degraded', 'unhealthy'])

const health = v.object({
  status,
  version: v.string(),
  timestamp: v.string(),
  components: v.object({
    store: status,
    limiter: status,
    providers: v.record(v.string(), status),
    search: v.record(v.string(), status),
    checks: v.record(v.string(), status),
  }),
})

export interface HealthSchema extends SchemaOf<typeof health> {}

export const healthSchema: HealthSchema = v.pipe(health, v.title('Health'))
