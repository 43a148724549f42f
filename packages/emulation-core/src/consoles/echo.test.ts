import { describe, expect, it } from 'vitest'
import { isEcho, isPartOfEcho } from './echo.ts'

describe('isEcho', () => {
  it('accepts the command, also after a prompt, wrapped by a shell or scrolled by a device', () => {
    const long = `echo ${'0123456789'.repeat(9)}`
    expect(isEcho('show ip', 'show ip')).toBe(true)
    expect(isEcho('PC1> show ip', 'show ip')).toBe(true)
    expect(isEcho(`${long.slice(0, 80)} ${long.slice(80)}`, long)).toBe(true)
    expect(isEcho(`$${long.slice(-40)}`, long)).toBe(true)
  })

  it('refuses output, and any text after an empty command', () => {
    expect(isEcho('hello', 'echo hello')).toBe(false)
    expect(isEcho('PC1>', '')).toBe(false)
    expect(isEcho('', '')).toBe(true)
  })
})

describe('isPartOfEcho', () => {
  it('accepts the beginning of the command', () => {
    expect(isPartOfEcho('echo a >', 'echo a > /tmp/b')).toBe(true)
    expect(isPartOfEcho('Password:', 'echo')).toBe(false)
  })
})
