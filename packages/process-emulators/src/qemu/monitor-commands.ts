/** Commands of the emulator's monitor that reach nothing but the machine itself. */
const harmless: ReadonlySet<string> = new Set([
  '?',
  'balloon',
  'boot_set',
  'c',
  'cont',
  'help',
  'i',
  'info',
  'mouse_button',
  'mouse_move',
  'mouse_set',
  'nmi',
  'o',
  'p',
  'print',
  'q',
  'quit',
  'sendkey',
  'set_link',
  'stop',
  'system_powerdown',
  'system_reset',
  'system_wakeup',
  'watchdog_action',
])

/** The first word, without the format that `p/x` and the like carry. */
const verbOf = (line: string): string => /^\s*([^\s/]*)/.exec(line)?.[1] ?? ''

/**
 * Whether anyone who can reach the monitor's port may give this command. What is left out opens files, sockets, devices
 * or programs of the host (`migrate exec:…`, `drive_add`, `pmemsave`, `screendump` and others) with the server's rights.
 */
export const isHarmlessCommand = (line: string): boolean => !/[\r\n\0]/.test(line) && harmless.has(verbOf(line))
