import { existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A clock for processes that are started with its environment. */
export interface FakeClock {
  readonly environment: Readonly<Record<string, string>>
  /** Sets how far the clock is ahead of the right time, in seconds; negative for a clock that is late. */
  set(seconds: number): void
  remove(): void
}

const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')

/** Whether `libfaketime` is installed. Throws where it is absent and TRIVIUM_REQUIRE_SERVICES=1. */
export const canSetClocks = isInstalled()

export function fakeClock(): FakeClock {
  const directory = mkdtempSync(join(tmpdir(), 'trivium-clock-'))
  const file = join(directory, 'offset')
  const set = (seconds: number) => writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}s`)
  set(0)
  return {
    environment: {
      LD_PRELOAD: library ?? '',
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      // Timers do not change, as when a real clock is set.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    set,
    remove: () => rmSync(directory, { recursive: true }),
  }
}

function isInstalled(): boolean {
  if (library !== undefined && existsSync(library)) return true
  const message = 'faketime is not installed (apt-get install faketime): the tests with wrong clocks are skipped'
  if (process.env.TRIVIUM_REQUIRE_SERVICES === '1') throw new Error(message)
  console.warn(message)
  return false
}
