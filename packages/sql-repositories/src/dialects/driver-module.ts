/**
 * Loads an optional driver. Bundlers leave a name alone that is not a literal, so the program finds the package where it
 * runs.
 *
 * @throws {Error} naming the package to install, where it is missing
 */
export async function driverModule(name: 'pg'): Promise<typeof import('pg')>
export async function driverModule(name: 'mysql2'): Promise<typeof import('mysql2')>
export async function driverModule(name: string): Promise<unknown> {
  try {
    return await import(/* webpackIgnore: true */ /* @vite-ignore */ name)
  } catch (cause) {
    throw new Error(`This database needs the package ${name}: npm install ${name}`, { cause })
  }
}
