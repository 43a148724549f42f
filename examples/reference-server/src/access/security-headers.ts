import type { Settings } from '../settings.ts'

const HSTS_SECONDS = 365 * 24 * 60 * 60

/** Headers of every answer that sets no stricter policy. `strict-transport-security` is added only where the server itself terminates TLS. */
export const securityHeaders = ({ TRIVIUM_TLS_CERT: certificate }: Settings): Readonly<Record<string, string>> => ({
  'x-content-type-options': 'nosniff',
  'content-security-policy': "frame-ancestors 'none'",
  ...(certificate !== undefined && { 'strict-transport-security': `max-age=${HSTS_SECONDS}` }),
})
