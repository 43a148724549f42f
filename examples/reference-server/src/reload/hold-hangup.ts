/** A signal that would end the process. */
export interface HeldHangup {
  /** Calls this for each SIGHUP from now on, and for one that came before. */
  pass(obey: () => void): void
  /** Leaves the signal to the system, also one that came before. */
  release(): void
}

/** Holds SIGHUP back until the server can obey it. */
export function holdHangup(): HeldHangup {
  let isHeld = false
  let obey = () => {
    isHeld = true
  }
  const hear = () => obey()
  process.on('SIGHUP', hear)
  return {
    pass(next) {
      obey = next
      if (isHeld) next()
      isHeld = false
    },
    release() {
      process.removeListener('SIGHUP', hear)
      if (isHeld) process.kill(process.pid, 'SIGHUP')
    },
  }
}
