import { commonHeaders, contentSecurityPolicy } from './serve-asset.ts'

const WAIT_SECONDS = 2

const page = new TextEncoder().encode(`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta http-equiv="refresh" content="${WAIT_SECONDS}">
    <title>Trivium</title>
  </head>
  <body>
    <p>The console is being built. This page loads it when the build has ended.</p>
  </body>
</html>
`)

/** The reply in place of the page while it is being built. Browsers load it again every 2 seconds. */
export const buildingPage = {
  status: 503,
  headers: {
    ...commonHeaders,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy,
    'cache-control': 'no-store',
    'retry-after': `${WAIT_SECONDS}`,
  },
  body: page,
} as const
