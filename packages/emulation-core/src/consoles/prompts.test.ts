import { describe, expect, it } from 'vitest'
import { isChangedPrompt, isLogin, isPager } from './prompts.ts'

describe('isChangedPrompt', () => {
  it.each([
    ['R1#', 'R1(config)#'],
    ['R1>', 'R1#'],
    ['root@lab:~#', 'root@lab:/tmp#'],
    ['[root@lab ~]#', '[root@lab tmp]#'],
    ['/ #', '/tmp #'],
    ['~ $', '/var/log $'],
  ])('accepts after %s the prompt %s', (prompt, line) => {
    expect(isChangedPrompt(line, prompt)).toBe(true)
  })

  it.each([
    ['R1#', 'Building configuration...'],
    ['R1#', 'R2#'],
    ['R1#', 'R1 is up'],
    ['PC1>', ''],
    ['/ #', 'step 1 #'],
  ])('refuses after %s the line %j', (prompt, line) => {
    expect(isChangedPrompt(line, prompt)).toBe(false)
  })
})

describe('isLogin', () => {
  it('finds questions for a name or a password', () => {
    for (const line of ['debian login:', 'Password:', 'Username:', 'root password:']) expect(isLogin(line)).toBe(true)
    for (const line of ['PC1>', 'Last login: today', '']) expect(isLogin(line)).toBe(false)
  })
})

describe('isPager', () => {
  it('finds the ends of pages', () => {
    for (const line of ['--More--', ' --More-- ', '--More--(35%)', '---- More ----', '<--- More --->'])
      expect(isPager(line)).toBe(true)
    for (const line of ['no more', '--moreover', '']) expect(isPager(line)).toBe(false)
  })
})
