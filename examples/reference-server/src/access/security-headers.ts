import type { Settings } from '../settings.ts'

const HSTS_SECONDS = 365 * 24 * 60 * 60

/** Headers of every answer, unless it has a stricter policy of its own. The last is for TLS of the server's own; a proxy with TLS adds it itself. */
export const securityHeaders = ({ TRIVIUM_TLS_CERT: certificate }: Settings): Readonly<Record<string, string>> => ({
  'x-content-type-options': 'nosniff',
  'content-security-policy': "frame-ancestors 'none'",
  ...(certificate !== undefined && { 'strict-transport-security': `max-age=${HSTS_SECONDS}` }),
})
