import { expect, it } from 'vitest'
import { isHarmlessCommand } from './monitor-commands.ts'

it.each([
  'info status',
  '  stop',
  'cont',
  'system_reset',
  'set_link nic0 off',
  'help',
  'p/x 1',
])('allows the command %j', (line) => {
  expect(isHarmlessCommand(line)).toBe(true)
})

it.each([
  'migrate exec:id',
  'drive_add 0 file=/etc/shadow',
  'pmemsave 0 1 /tmp/x',
  'screendump /tmp/x',
  'logfile /tmp/x',
  'change ide1-cd0 /etc/shadow',
  'chardev-add socket,id=x',
  'netdev_add user,id=n',
  'object_add x',
  'gdbserver',
  'info status\nmigrate exec:id',
  '__proto__',
  '',
])('refuses the command %j', (line) => {
  expect(isHarmlessCommand(line)).toBe(false)
})
