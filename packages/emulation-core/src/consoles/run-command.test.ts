import fc from 'fast-check'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { MAX_OUTPUT } from './command-output.ts'
import { createConsoleHub } from './console-hub.ts'
import { openTerminal } from './console-terminal.ts'
import { type CommandToRun, runCommand } from './run-command.ts'

beforeEach(() => {
  vi.useFakeTimers()
  onTestFinished(() => {
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
  })
})

const encode = (value: string) => new TextEncoder().encode(value)

interface Screen {
  print(output: string | Uint8Array): void
  close(): void
}

/** Creates a console whose device answers each line that is typed. A key without Enter is a line, too. */
function createDevice(answer: (line: string, screen: Screen) => string | undefined) {
  const hub = createConsoleHub()
  let show: (bytes: Uint8Array) => void = () => {}
  const typed: string[] = []
  const screen: Screen = {
    print: (output) => show(typeof output === 'string' ? encode(output) : output),
    close: hub.close,
  }
  hub.connect({
    write: (bytes) => {
      const line = new TextDecoder().decode(bytes)
      typed.push(line)
      const output = answer(line.replace(/\r$/, ''), screen)
      if (output !== undefined) setTimeout(() => screen.print(output), 5)
    },
    onOutput: (listener) => {
      show = listener
    },
  })
  return { hub, typed, screen }
}

type Device = ReturnType<typeof createDevice>

function start(
  { hub }: Pick<Device, 'hub'>,
  command: string,
  { timeoutMs = 10_000, signal, ...rest }: Partial<CommandToRun> & { timeoutMs?: number; signal?: AbortSignal } = {},
) {
  const terminal = openTerminal(hub, { timeoutMs, signal })
  if (!terminal) throw new Error('The console has too many viewers')
  return runCommand(terminal, { command, interrupt: false, ...rest })
}

async function run(device: Device, ...rest: [string, Parameters<typeof start>[2]?]) {
  const done = start(device, ...rest)
  await vi.advanceTimersByTimeAsync(400_000)
  return done
}

/** A shell that echoes what is typed, and answers commands. */
const shell = (outputs: Readonly<Record<string, string>>, prompt = 'PC1> ') =>
  createDevice((line) => `${line}\r\n${outputs[line] ?? ''}${prompt}`)

describe('runCommand', () => {
  it('finds the prompt, and returns the output without the echo', async () => {
    const device = shell({ 'show ip': '\r\nNAME : PC1\r\n\r\nIP   : 10.0.0.1\r\n\r\n' })
    device.screen.print('Booting\r\nPC1> ')
    const done = (await run(device, 'show ip'))._unsafeUnwrap()
    expect(done).toEqual({
      output: 'NAME : PC1\n\nIP   : 10.0.0.1',
      prompt: 'PC1>',
      ended: 'prompt',
      truncated: false,
      durationSeconds: 0.005,
    })
    expect(device.typed).toEqual(['\r', '\r', 'show ip\r'])
    expect(device.hub.viewers).toBe(0)
  })

  it('returns the same for the same bytes in any pieces', async () => {
    const output = encode(
      'show\r\n\x1b[1mä€𝄞\x1b[0m PC1> in the middle\r\nPC1> \r\n10 %\r100 %\r\n\x1b]0;title\x07the end\r\n\x1b[32mPC1> ',
    )
    const answers = async (places: readonly number[]) => {
      const device = createDevice((line, screen) => {
        if (line !== 'show') return `${line}\r\nPC1> `
        let from = 0
        for (const end of [...places.map((place) => place % output.length).sort((a, b) => a - b), output.length]) {
          screen.print(output.subarray(from, end))
          from = end
        }
        return undefined
      })
      return (await run(device, 'show'))._unsafeUnwrap()
    }
    const whole = await answers([])
    expect(whole).toMatchObject({
      output: 'ä€𝄞 PC1> in the middle\nPC1>\n100 %\nthe end',
      prompt: 'PC1>',
      ended: 'prompt',
    })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat()), async (places) => {
        expect(await answers(places)).toEqual(whole)
      }),
      { numRuns: 50 },
    )
  })

  it('finds the end after output of any bytes, and returns text without control characters', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 500 }), async (output) => {
        const device = createDevice((line, { print }) => {
          if (line !== 'cat') return `${line}\r\nPC1> `
          print('cat\r\n')
          print(output)
          return '\r\nPC1> '
        })
        const done = (await run(device, 'cat'))._unsafeUnwrap()
        expect(done).toMatchObject({ prompt: 'PC1>', ended: 'prompt' })
        expect(done.output).not.toMatch(/(?![\t\n])\p{Cc}/u)
      }),
    )
  })

  it('types immediately with a prompt of the caller, and waits for that text', async () => {
    const device = createDevice((line) => (line === 'root' ? 'root\r\nPassword: ' : undefined))
    const done = (await run(device, 'root', { prompt: 'Password: ' }))._unsafeUnwrap()
    expect(done).toMatchObject({ output: '', prompt: 'Password:', ended: 'prompt' })
    expect(device.typed).toEqual(['root\r'])
  })

  it('continues after a prompt of the caller inside the echo or the output', async () => {
    const device = createDevice((line, { print }) => {
      print(line.slice(0, 8))
      setTimeout(() => print(line.slice(8)), 500)
      setTimeout(() => print('\r\na >'), 1000)
      setTimeout(() => print(' b\r\n'), 1050)
      setTimeout(() => print('R1>'), 1500)
      return undefined
    })
    const done = (await run(device, 'show a > b', { prompt: '>' }))._unsafeUnwrap()
    expect(done).toMatchObject({ output: 'a > b', prompt: 'R1>', ended: 'prompt' })
  })

  it('presses Enter for an empty command', async () => {
    const device = createDevice(() => '\r\nRouter> ')
    expect((await run(device, '', { prompt: '>' }))._unsafeUnwrap()).toMatchObject({ output: '', prompt: 'Router>' })
    expect(device.typed).toEqual(['\r'])
  })

  it('finds a prompt that has changed, or that follows output without a line end', async () => {
    const changing = createDevice((line) => `${line}\r\n${line === 'configure' ? 'R1(config)# ' : 'R1# '}`)
    expect((await run(changing, 'configure'))._unsafeUnwrap()).toMatchObject({ output: '', prompt: 'R1(config)#' })
    expect((await run(shell({ printf: 'abc' }, '/ # '), 'printf'))._unsafeUnwrap()).toMatchObject({
      output: 'abc',
      prompt: '/ #',
    })
  })

  it('returns output of a console that does not echo', async () => {
    const device = createDevice((line) => `${line === '' ? '\r\n' : 'one\r\ntwo\r\n'}$ `)
    expect((await run(device, 'list'))._unsafeUnwrap()).toMatchObject({ output: 'one\ntwo', ended: 'prompt' })
  })

  it('leaves out an echo that a shell wraps', async () => {
    const command = `echo ${'0123456789 '.repeat(12)}`
    const device = createDevice((line) =>
      line === command ? `${line.slice(0, 77)}\r\n${line.slice(77)}\r\n0123\r\n/ # ` : `${line}\r\n/ # `,
    )
    expect((await run(device, command))._unsafeUnwrap()).toMatchObject({ output: '0123', ended: 'prompt' })
  })

  it('keeps output that begins as the command does where the console does not echo', async () => {
    const device = createDevice((line) => `${line === '' ? '\r\n' : 'show\r\n\r\nshow\r\n'}$ `)
    expect((await run(device, 'show all'))._unsafeUnwrap()).toMatchObject({ output: 'show\n\nshow', ended: 'prompt' })
  })

  it('turns pages', async () => {
    const device = createDevice((line) => {
      if (line === 'show') return 'show\r\none\r\ntwo\r\n --More-- '
      if (line === ' ') return '\b\b\b\b\b\b\b\b\b\b          \b\b\b\b\b\b\b\b\b\bthree\r\nR1#'
      return `${line}\r\nR1#`
    })
    expect((await run(device, 'show'))._unsafeUnwrap()).toMatchObject({ output: 'one\ntwo\nthree', prompt: 'R1#' })
    expect(device.typed).toEqual(['\r', '\r', 'show\r', ' '])
  })

  it('types no space where a command names a page mark', async () => {
    const device = createDevice((line, { print }) => {
      if (line !== 'grep --more') return `${line}\r\n$ `
      print(line)
      setTimeout(() => print('\r\n$ '), 3000)
      return undefined
    })
    expect((await run(device, 'grep --more'))._unsafeUnwrap()).toMatchObject({ output: '', ended: 'prompt' })
    expect(device.typed).toEqual(['\r', '\r', 'grep --more\r'])
  })

  it('returns what has come when the time runs out, and types Ctrl-C where the caller wants it', async () => {
    for (const interrupt of [false, true]) {
      const device = createDevice((line) => (line === 'ping' ? 'ping\r\nreply 1\r\nreply' : `${line}\r\n$ `))
      const done = (await run(device, 'ping', { timeoutMs: 3000, interrupt }))._unsafeUnwrap()
      expect(done).toMatchObject({ output: 'reply 1\nreply', ended: 'timeout', truncated: false })
      expect(done.prompt).toBeUndefined()
      expect(device.typed.slice(3)).toEqual(interrupt ? ['\x03'] : [])
      expect(device.hub.viewers).toBe(0)
    }
  })

  it('leaves out what is too much, and still waits for the prompt', async () => {
    const device = createDevice((line, { print }) => {
      if (line !== 'flood') return `${line}\r\n$ `
      print('flood\r\n')
      for (let part = 0; part < 100; part += 1) print('0123456789\r\n'.repeat(1000))
      print('x'.repeat(MAX_OUTPUT))
      return '\r\n$ '
    })
    const done = (await run(device, 'flood'))._unsafeUnwrap()
    expect(done).toMatchObject({ ended: 'prompt', truncated: true, prompt: '$' })
    expect(done.output.length).toBeGreaterThan(MAX_OUTPUT - 20)
    expect(done.output.length).toBeLessThanOrEqual(MAX_OUTPUT)
    expect(done.output.startsWith('0123456789\n0123456789\n')).toBe(true)
  })

  it('returns what has come when the console closes', async () => {
    const device = createDevice((line, { print, close }) => {
      if (line !== 'poweroff') return `${line}\r\n$ `
      print('poweroff\r\nStopping')
      close()
      return undefined
    })
    expect((await run(device, 'poweroff'))._unsafeUnwrap()).toMatchObject({ output: 'Stopping', ended: 'closed' })
  })

  it('ends when the signal aborts', async () => {
    const controller = new AbortController()
    const device = createDevice((line) => (line === 'wait' ? 'wait\r\n' : `${line}\r\n$ `))
    const done = start(device, 'wait', { signal: controller.signal })
    await vi.advanceTimersByTimeAsync(1000)
    controller.abort()
    expect((await done)._unsafeUnwrap()).toMatchObject({ output: '', ended: 'aborted' })
    const unstarted = await start(device, 'wait', { signal: controller.signal, prompt: '$' })
    expect(unstarted._unsafeUnwrapErr()).toEqual({ shown: '', stop: 'aborted' })
    expect(device.typed).toEqual(['\r', '\r', 'wait\r'])
  })

  it('waits for a machine that starts, and presses Enter few times meanwhile', async () => {
    let isUp = false
    const device = createDevice((line) => (isUp ? `${line}\r\nlab:~# ` : undefined))
    for (let second = 1; second < 60; second += 1) {
      setTimeout(() => device.screen.print(`[${second}] starting unit ... `), second * 1000)
      setTimeout(() => device.screen.print('done\r\n'), second * 1000 + 700)
    }
    setTimeout(() => {
      isUp = true
      device.screen.print('lab:~# ')
    }, 60_000)
    const done = (await run(device, 'true', { timeoutMs: 200_000 }))._unsafeUnwrap()
    expect(done).toMatchObject({ output: '', prompt: 'lab:~#', ended: 'prompt' })
    expect(device.typed.length).toBeLessThan(15)
  })

  it('types no command where no prompt comes, and where the console asks who logs in', async () => {
    const silent = createDevice(() => undefined)
    expect((await run(silent, 'id', { timeoutMs: 300_000 }))._unsafeUnwrapErr()).toEqual({ shown: '', stop: 'timeout' })
    expect(silent.typed.length).toBeLessThan(15)
    const counting = createDevice((line) => `${line}\r\n[${counting.typed.length}]$ `)
    expect((await run(counting, 'id'))._unsafeUnwrapErr()).toMatchObject({ stop: 'timeout' })
    const login = createDevice((line) => `${line}\r\ndebian login: `)
    expect((await run(login, 'id'))._unsafeUnwrapErr()).toEqual({ shown: 'debian login:' })
    for (const { typed } of [silent, counting, login]) expect(new Set(typed)).toEqual(new Set(['\r']))
  })

  it('leaves the pages of earlier output', async () => {
    let isPaging = true
    const device = createDevice((line) => {
      if (isPaging && line !== 'q') return 'another line\r\n --More-- '
      isPaging = false
      return line === 'q' ? '\r         \rR1#' : `${line}\r\nR1#`
    })
    expect((await run(device, 'clock'))._unsafeUnwrap()).toMatchObject({ output: '', prompt: 'R1#', ended: 'prompt' })
    expect(device.typed).toEqual(['\r', 'q', '\r', '\r', 'clock\r'])
  })

  it('ignores what the console showed before', async () => {
    const device = shell({ date: 'today\r\n' })
    device.screen.print('old output\r\nOLD> ')
    expect((await run(device, 'date'))._unsafeUnwrap()).toMatchObject({ output: 'today', prompt: 'PC1>' })
  })
})
