import type { Asset } from '../assets/assets.ts'

/** Allows only the files of the page and the services of its host. Images may be data: those of the canvas and of models. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** The headers of every reply that is a file of the page. */
export const commonHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  vary: 'accept-encoding',
}

const IMMUTABLE = 'public, max-age=31536000, immutable'

/** The reply with a file in the first of Brotli, gzip and plain that the client accepts. */
export function serveAsset({ contentType, immutable, plain, brotli, gzip }: Asset, acceptEncoding: string | undefined) {
  const accepted = new Set(
    (acceptEncoding ?? '')
      .split(',')
      .filter((item) => !/;\s*q=0(\.0*)?\s*$/.test(item))
      .map((item) => item.split(';')[0]?.trim().toLowerCase()),
  )
  const encodings = [
    ['br', brotli],
    ['gzip', gzip],
  ] as const
  const [encoding, body] = encodings.find(([name, bytes]) => bytes && accepted.has(name)) ?? []
  return {
    status: 200,
    headers: {
      ...commonHeaders,
      'content-type': contentType,
      'cache-control': immutable ? IMMUTABLE : 'no-cache',
      ...(encoding && { 'content-encoding': encoding }),
      ...(contentType.startsWith('text/html') && { 'content-security-policy': contentSecurityPolicy }),
    },
    body: body ?? plain,
  } as const
}
