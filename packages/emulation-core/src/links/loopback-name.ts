/** Whether a remote host is this machine by its name, which is not resolved. */
export const isLoopbackName = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host.startsWith('127.')
