export const streamHeaders = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform' }
