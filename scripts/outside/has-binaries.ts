/** Returns whether the lock files have a binary of the program for this platform. Prints the reason where they have not. */
export function hasBinaries(program: string): boolean {
  const isLinuxX64 = process.platform === 'linux' && process.arch === 'x64'
  if (!isLinuxX64) console.log(`${program} is not checked: the binary in the lock file is for Linux on x64.`)
  return isLinuxX64
}
