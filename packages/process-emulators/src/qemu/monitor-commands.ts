/** Commands of the monitor that affect only the machine itself. */
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

/** The first word, without a format as in `p/x`. */
const verbOf = (line: string): string => /^\s*([^\s/]*)/.exec(line)?.[1] ?? ''

/**
 * Whether the command is allowed to every client of the monitor port. All others can open files, sockets, devices or
 * programs of the host with the rights of the server (`migrate exec:…`, `drive_add`, `pmemsave`, `screendump`, …).
 */
export const isHarmlessCommand = (line: string): boolean => !/[\r\n\0]/.test(line) && harmless.has(verbOf(line))
