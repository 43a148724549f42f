import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPcLab } from '../../../tests/pc-lab.ts'
import { createKeyDecoder } from './key-decoder.ts'
import { createLineEditor } from './line-editor.ts'

const introducer = '\u001b'
const tokens = new RegExp(`${introducer}\\[(\\d+)D|[\\s\\S]`, 'g')

/** Creates one row of a terminal with the control sequences that the editor uses. */
function createRow() {
  let cells: string[] = []
  let cursor = 0
  return {
    write(text: string) {
      for (const [token, motion] of text.matchAll(tokens)) {
        if (motion !== undefined) cursor -= Number(motion)
        else if (token === '\r') cursor = 0
        else if (token === '\n') cells = []
        else if (token !== '\x07') {
          cells[cursor] = token
          cursor += 1
        }
      }
    },
    get text() {
      return Array.from(cells, (cell) => cell ?? '?')
        .join('')
        .trimEnd()
    },
    get cursor() {
      return cursor
    },
  }
}

describe('the line editor', () => {
  const keys = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('a', 'b', 'c', ' ', '-', '/') },
    fc.constantFrom(
      'left',
      'right',
      'home',
      'end',
      'delete',
      'up',
      'down',
      '\b',
      '\x7f',
      '\x01',
      '\x02',
      '\x04',
      '\x05',
      '\x06',
    ),
    fc.constantFrom('\x0b', '\x0e', '\x10', '\x15', '\x17'),
  )

  it('shows the line that it returns, regardless of the keys', () => {
    fc.assert(
      fc.property(fc.array(keys, { maxLength: 60 }), (pressed) => {
        const row = createRow()
        const lines: string[] = []
        let shown = ''
        const editor = createLineEditor({
          write(text) {
            if (text === '\r\n') shown = row.text
            row.write(text)
          },
          entered: (line) => lines.push(line),
          interrupted: () => {},
          history: ['first line', 'x', 'the one before'],
        })
        editor.prompt('PC1> ')
        for (const key of pressed) {
          editor.press(key)
          expect(row.cursor).toBeGreaterThanOrEqual(5)
        }
        editor.press('\r')
        expect(lines).toHaveLength(1)
        expect(shown).toBe(`PC1> ${lines[0]}`.trimEnd())
      }),
      { numRuns: 500 },
    )
  })

  const enter = (...pressed: readonly string[]): string | undefined => {
    let line: string | undefined
    const editor = createLineEditor({
      write: () => {},
      entered: (text) => {
        line = text
      },
      interrupted: () => {
        line = 'interrupted'
      },
      history: ['older', 'newer'],
    })
    editor.prompt('> ')
    for (const key of pressed) editor.press(key)
    return line
  }

  it('supports the editing keys of shells', () => {
    expect(enter(...'abc', '\x7f', 'd', '\r')).toBe('abd')
    expect(enter(...'abc', '\x15', 'x', '\r')).toBe('x')
    expect(enter(...'bc', 'home', 'a', 'end', 'd', '\r')).toBe('abcd')
    expect(enter(...'abc', 'left', 'left', 'delete', '\r')).toBe('ac')
    expect(enter(...'ping 10.0.0.1 ', '\x17', ...'x', '\r')).toBe('ping x')
    expect(enter(...'abcdef', '\x01', 'right', '\x0b', '\r')).toBe('a')
    expect(enter(...'abc', '\x03')).toBe('interrupted')
  })

  it('recalls the history and returns to the typed line', () => {
    expect(enter('up', '\r')).toBe('newer')
    expect(enter('up', 'up', 'up', '\r')).toBe('older')
    expect(enter(...'typed', 'up', 'up', 'down', 'down', '\r')).toBe('typed')
    expect(enter('down', ...'x', '\r')).toBe('x')
  })

  it('limits a line to 512 characters', () => {
    expect(enter(...'x'.repeat(600), '\r')).toHaveLength(512)
  })
})

describe('the key decoder', () => {
  const decodeIn = (pieces: readonly Uint8Array[]): readonly string[] => {
    const keys: string[] = []
    const decode = createKeyDecoder((key) => keys.push(key))
    for (const piece of pieces) decode(piece)
    return keys
  }

  it('decodes arrows, editing keys and every form of Enter', () => {
    expect(decodeIn([Buffer.from('a\x1b[A\x1b[B\x1bOC\x1b[D\x1b[H\x1b[4~\x1b[3~b')])).toEqual([
      'a',
      'up',
      'down',
      'right',
      'left',
      'home',
      'end',
      'delete',
      'b',
    ])
    expect(decodeIn([Buffer.from('1\r2\r\n3\n4\r\x005')])).toEqual(['1', '\r', '2', '\r', '3', '\r', '4', '\r', '5'])
    expect(decodeIn([Buffer.from('a\x1b[200~b\x1b[1;5Cc\x1bxd')])).toEqual(['a', 'b', 'c', 'd'])
  })

  it('returns the same keys regardless of how the bytes are split', () => {
    const tokens = fc.constantFrom(
      'a',
      'ü',
      '漢',
      '\r',
      '\r\n',
      '\n',
      '\x1b[A',
      '\x1b[3~',
      '\x1bOD',
      '\x03',
      '\x1b[999;999R',
    )
    fc.assert(
      fc.property(
        fc.array(tokens, { maxLength: 20 }),
        fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 40 }),
        (sent, cuts) => {
          const whole = Buffer.from(sent.join(''))
          const pieces: Buffer[] = []
          let at = 0
          for (const cut of cuts) {
            pieces.push(whole.subarray(at, at + cut))
            at += cut
          }
          pieces.push(whole.subarray(at))
          expect(decodeIn(pieces)).toEqual(decodeIn([whole]))
        },
      ),
    )
  })

  it('leaves a sequence that never ends', () => {
    expect(decodeIn([Buffer.from(`\x1b[${'1'.repeat(20)}z`)]).at(-1)).toBe('z')
  })
})

describe('the shell', () => {
  it('prints its banner and a prompt', async () => {
    const { screen } = await createPcLab().pc('PC1')
    expect(screen).toMatch(/virtual PC[\s\S]*get help\.\n\nPC1> $/)
  })

  it('prints the output, an empty line and the prompt', async () => {
    const { run } = await createPcLab().pc('PC1')
    expect(await run('echo  hello   there ')).toBe('hello   there\n\nPC1> ')
    expect(await run('')).toBe('PC1> ')
    expect(await run('nonsense 1')).toBe('Bad command "nonsense": type ? for help\n\nPC1> ')
  })

  it('accepts abbreviated commands, and prints their usage', async () => {
    const { run } = await createPcLab().pc('PC1')
    expect(await run('ec short')).toBe('short\n\nPC1> ')
    const list = await run('?')
    for (const name of [
      'arp',
      'clear',
      'dhcp',
      'echo',
      'help',
      'ip',
      'ping',
      'save',
      'set',
      'show',
      'sleep',
      'trace',
      'version',
    ]) {
      expect(list).toMatch(new RegExp(`^${name} `, 'm'))
      expect(await run(`${name} ?`)).toMatch(new RegExp(`^\\n${name}`))
    }
    expect(await run('help ping')).toBe(await run('ping ?'))
    expect(await run('help')).toBe(list)
  })

  it('keeps at most 100 typed lines, without repetitions', async () => {
    const { run } = await createPcLab().pc('PC1')
    for (const line of ['echo 1', 'echo 1', '', '  ', 'echo 2']) await run(line)
    expect(await run('show history')).toBe('\necho 1\necho 2\nshow history\n\nPC1> ')
    expect(await run('clear hist')).toBe('\nPC1> ')
    expect(await run('history')).toBe('\nhistory\n\nPC1> ')
    for (let index = 0; index < 300; index += 1) await run(`echo ${index}`)
    expect((await run('history')).split('\n')).toHaveLength(103)
  })

  it('recalls a command with an arrow key', async () => {
    const { run, type, screen } = await createPcLab().pc('PC1')
    expect(screen).toContain('PC1> ')
    await run('echo again')
    type('\x1b[A')
    expect(await run('')).toContain('again\n')
  })

  it('runs what is typed during a command after it', async () => {
    const { clock, pc } = createPcLab()
    const machine = await pc('PC1')
    machine.type('sleep 5\recho after\r')
    await clock.pass(4000)
    expect(machine.screen).not.toContain('after')
    await clock.pass(1000)
    expect(machine.screen).toMatch(/PC1> echo after\nafter\n\nPC1> $/)
  })

  it('interrupts a command at Ctrl-C, and discards what was typed ahead', async () => {
    const { clock, pc } = createPcLab()
    const machine = await pc('PC1')
    machine.type('sleep 100\recho never\r\x03')
    await clock.pass(0)
    expect(machine.screen).toMatch(/sleep 100\n\^C\n\nPC1> $/)
    machine.type('half a line\x03')
    expect(machine.screen).toMatch(/half a line\^C\nPC1> $/)
    expect(clock.timers).toBe(0)
  })

  it('waits for a key with sleep 0', async () => {
    const { clock, pc } = createPcLab()
    const machine = await pc('PC1')
    machine.type('sleep 0 have a look\r')
    await clock.pass(10_000)
    expect(machine.screen).toMatch(/have a look\nPress any key to continue\n$/)
    machine.type('x')
    await clock.pass(0)
    expect(machine.screen).toMatch(/continue\n\nPC1> $/)
  })

  it('ends with quit', async () => {
    const machine = await createPcLab().pc('PC1')
    await machine.run('quit')
    expect(machine.ended).toBe(true)
  })
})

describe('scripts', () => {
  it('run at the start, without comments and empty lines', async () => {
    const { screen } = await createPcLab().pc('PC1', {
      script: '# a comment\n\nset pcname router-test\r\n! never run this\necho started\n',
    })
    expect(screen).toMatch(/Executing the startup file\nstarted\n\nrouter-test> $/)
  })

  it('print their lines with set echo on', async () => {
    const { screen } = await createPcLab().pc('PC1', { script: 'set echo on\necho hello\n' })
    expect(screen).toContain('PC1> echo hello\nhello\n')
  })

  it('save the configuration and restore it', async () => {
    const lab = createPcLab()
    const first = await lab.pc('PC1')
    for (const line of [
      'set pcname lab',
      'ip 10.0.0.1/25 10.0.0.126',
      'ip dns 10.0.0.53 2001:db8::53',
      'ip domain lab.test',
      'ip 2001:db8::1/56 2001:db8::ff',
      'ip mtu 1400',
    ]) {
      await first.run(line, 2000)
    }
    expect(await first.run('save')).toBe('Saved to startup.vpc\n\nlab> ')
    first.pc.stop()
    const script = first.files.get('startup.vpc') ?? ''
    const second = await createPcLab().pc('PC1', { script, mac: 0x005079666800 })
    await second.run('save other')
    expect(second.files.get('other')).toBe(script)
    expect(await second.run('show ip')).toContain(
      'IP/MASK     : 10.0.0.1/25\nGATEWAY     : 10.0.0.126\nDNS         : 10.0.0.53 2001:db8::53\nDOMAIN NAME : lab.test',
    )
    expect(await second.run('show ipv6')).toContain('GLOBAL SCOPE      : 2001:db8::1/56')
  })

  it('run by name with load, nested at most four levels deep', async () => {
    const machine = await createPcLab().pc('PC1')
    machine.files.set('loop', 'echo round\nload loop\n')
    expect(await machine.run('load loop')).toBe(`${'round\n'.repeat(4)}Scripts are nested too deeply\n\nPC1> `)
    expect(await machine.run('load nothing')).toBe('There is no file nothing\n\nPC1> ')
  })

  it('stop at Ctrl-C', async () => {
    const { clock, pc } = createPcLab()
    const machine = await pc('PC1')
    machine.files.set('long', 'sleep 100\necho never\n')
    machine.type('load long\r')
    await clock.pass(1000)
    machine.type('\x03')
    await clock.pass(0)
    expect(machine.screen).toMatch(/\^C\n\nPC1> $/)
  })
})

describe('the name of a virtual PC', () => {
  it('follows the instance until it is set by hand', async () => {
    const machine = await createPcLab().pc('my first PC')
    expect(machine.screen).toMatch(/\nmy-first-PC> $/)
    machine.pc.rename('second')
    expect(await machine.run('')).toBe('second> ')
    await machine.run('set pcname own')
    machine.pc.rename('third')
    expect(await machine.run('')).toBe('own> ')
    expect(await machine.run(`set pcname ${'x'.repeat(65)}`)).toContain('Usage')
  })
})
