import { nearestName } from './config/nearest-name.ts'
import { settingNames } from './settings.ts'

const known: ReadonlySet<string> = new Set([
  ...settingNames,
  'TRIVIUM_CONFIG',
  // The tests read these.
  ...['TRIVIUM_REQUIRE_SERVICES', 'TRIVIUM_TESTS'],
])

/** Returns a warning for each variable that begins with `TRIVIUM_` and is not a setting, without its value. */
export function unknownVariables(environment: NodeJS.ProcessEnv): readonly string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith('TRIVIUM_') && !known.has(name))
    .sort()
    .map((name) => {
      const meant = nearestName(name, settingNames)
      return `Warning: ${name} is not a setting and has no effect. ${meant === undefined ? '--help lists all settings.' : `Did you mean ${meant}?`}`
    })
}
