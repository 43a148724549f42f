import { expect, it } from 'vitest'
import { holdHangup } from './hold-hangup.ts'

it('passes on a SIGHUP that came before, once, and each that follows', () => {
  const hangup = holdHangup()
  process.emit('SIGHUP')
  process.emit('SIGHUP')
  let obeyed = 0
  hangup.pass(() => {
    obeyed += 1
  })
  expect(obeyed).toBe(1)
  process.emit('SIGHUP')
  expect(obeyed).toBe(2)
  hangup.pass(() => undefined)
  process.emit('SIGHUP')
  expect(obeyed).toBe(2)
  const listeners = process.listenerCount('SIGHUP')
  hangup.release()
  expect(process.listenerCount('SIGHUP')).toBe(listeners - 1)
})
