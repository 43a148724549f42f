import { existsSync, mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { MissingProgram, ProgramFailure, programRunner, type RunOptions } from './run-program.ts'

describe('programRunner', () => {
  const program = { name: 'example', package: 'example-tools' }
  let directory: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'trivium-programs-'))
  })
  afterEach(() => rmSync(directory, { recursive: true }))

  const runScript = (script: string, options: RunOptions = {}) => {
    writeFileSync(join(directory, 'example'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    return programRunner({ path: `${directory}:/usr/bin:/bin` })(program, ['a b', '$c'], options)
  }
  const pidIn = (name: string) => Number(readFileSync(join(directory, name), 'utf8'))
  const hasEnded = (pid: number) =>
    !existsSync(`/proc/${pid}`) || /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))

  it('passes the arguments unchanged, and none of the environment', async () => {
    process.env.TRIVIUM_SECRET = 'secret'
    const output = await runScript('echo "$1|$2"; env')
    delete process.env.TRIVIUM_SECRET
    expect(output).toContain('a b|$c\n')
    expect(output).toContain('LC_ALL=C')
    expect(output).not.toContain('secret')
  })

  it('runs a program when the working directory of the server is deleted', async () => {
    const before = process.cwd()
    const deleted = mkdtempSync(join(tmpdir(), 'trivium-deleted-'))
    process.chdir(deleted)
    rmSync(deleted, { recursive: true })
    try {
      expect(await runScript('pwd')).toBe('/\n')
    } finally {
      process.chdir(before)
    }
  })

  it('rejects with the last line of the error output when a program fails', async () => {
    await expect(runScript('echo first >&2; echo last >&2; exit 3')).rejects.toMatchObject({
      name: 'ProgramFailure',
      exitCode: 3,
      errorText: 'last',
    })
    await expect(runScript('kill -TERM $$')).rejects.toMatchObject({
      exitCode: undefined,
      errorText: expect.stringContaining('SIGTERM'),
    })
  })

  it('passes the output line by line, and yields to the event loop between pieces', async () => {
    let turn = 0
    let isFinished = false
    const count = () => {
      turn += 1
      if (!isFinished) setImmediate(count)
    }
    setImmediate(count)
    const bytesOf = new Map<number, number>()
    let lines = 0
    const onLine = (line: string) => {
      expect(line).toBe('1000 1000 8')
      lines += 1
      bytesOf.set(turn, (bytesOf.get(turn) ?? 0) + line.length + 1)
    }
    expect(await runScript('yes 1000 1000 8 | head -n 200000', { onLine })).toBe('')
    isFinished = true
    expect(lines).toBe(200_000)
    expect(Math.max(...bytesOf.values())).toBeLessThanOrEqual(2 ** 17 + 12)
  })

  it('passes complete lines when line ends and characters are split between pieces', async () => {
    const lines: string[] = []
    const written =
      "printf 'a\\303'; sleep 0.1; printf '\\251b'; sleep 0.1; printf '\\n\\n'; sleep 0.1; printf 'c\\nlast'"
    await runScript(written, { onLine: (line) => lines.push(line) })
    expect(lines).toEqual(['aéb', '', 'c', 'last'])
  })

  it('kills a program when onLine throws', async () => {
    const onLine = (line: string) => {
      throw new Error(`not ${line}`)
    }
    await expect(runScript(`cd ${directory}; echo $$ >pid; exec yes`, { onLine })).rejects.toThrow('not y')
    const pid = pidIn('pid')
    await vi.waitFor(() => expect(hasEnded(pid)).toBe(true), 30_000)
  })

  it('kills a program that prints an endless line', async () => {
    const endless = runScript('exec cat /dev/zero', { onLine: () => undefined, maxOutputBytes: 100_000 })
    await expect(endless).rejects.toThrow('not understood')
  })

  it('rejects with onLine, too, when a program fails, hangs or is missing', async () => {
    const onLine = () => undefined
    await expect(runScript('echo x; echo no >&2; exit 3', { onLine })).rejects.toMatchObject({ errorText: 'no' })
    await expect(runScript('exec sleep 1000', { onLine, timeoutMs: 200 })).rejects.toMatchObject({
      errorText: 'it took longer than 0.2 seconds',
    })
    await expect(programRunner({ path: directory })({ name: 'absent', package: 'p' }, [], { onLine })).rejects.toThrow(
      MissingProgram,
    )
  })

  it('names the package of a missing program', async () => {
    const run = programRunner({ path: directory })
    await expect(run(program, [])).rejects.toEqual(new MissingProgram(program))
    await expect(run(program, [])).rejects.toThrow('example-tools')
  })

  it.each([
    ['that hangs', 'echo $$ >pid; trap "" TERM; while :; do sleep 1000; done'],
    ['that waits for a hanging child', 'sleep 1000 & echo $! >pid; wait'],
    ['that leaves a hanging child behind', 'sleep 1000 & echo $! >pid; exit 0'],
  ])('kills a program %s after its time, with all its children', async (_, script) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const written = new Promise<void>((resolve) => {
      const watcher = watch(directory, () => {
        if (!existsSync(join(directory, 'pid')) || pidIn('pid') === 0) return
        watcher.close()
        resolve()
      })
    })
    const hung = runScript(`cd ${directory}; ${script}`, { timeoutMs: 2000 })
    const failed = Promise.all([
      expect(hung).rejects.toBeInstanceOf(ProgramFailure),
      expect(hung).rejects.toMatchObject({ errorText: 'it took longer than 2 seconds' }),
    ])
    await written
    vi.advanceTimersByTime(1999)
    expect(hasEnded(pidIn('pid'))).toBe(false)
    vi.advanceTimersByTime(1)
    await failed
    vi.useRealTimers()
    const pid = pidIn('pid')
    await vi.waitFor(() => expect(hasEnded(pid)).toBe(true), 30_000)
  })

  it('kills a program that prints more than maxOutputBytes', async () => {
    const endless = runScript(`cd ${directory}; echo $$ >pid; exec yes`, { maxOutputBytes: 100_000 })
    await expect(endless).rejects.toMatchObject({ errorText: 'it printed more than 100000 bytes' })
    const pid = pidIn('pid')
    await vi.waitFor(() => expect(hasEnded(pid)).toBe(true), 30_000)
  })

  it('keeps only the end of a long error output', async () => {
    await expect(runScript('head -c 10000000 /dev/zero | tr "\\0" x >&2; exit 1')).rejects.toMatchObject({
      errorText: expect.stringMatching(/^x{1,70000}$/),
    })
  })
})
