import * as v from 'valibot'

const status = v.picklist(['healthy', 'degraded', 'unhealthy'])

export const healthSchema = v.pipe(
  v.object({
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
  }),
  v.title('Health'),
)
