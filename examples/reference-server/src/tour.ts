import { resolve } from 'node:path'
import { placeOfPassword } from './admin-password.ts'
import type { Running } from './start-services.ts'

/** Returns what a start prints: a line for each service, the places, and lines to paste that work in any directory. */
export function startTour(running: Running): string {
  const { url, services, admin, settings } = running
  const served = Object.entries(services).filter(([, line]) => line !== undefined)
  const pages = ['/console', '/docs', '/openapi.json', ...(services.gateway ? ['/health'] : []), '/metrics']
  const pasted = Object.entries(pasteLines(running)).filter(([name]) => services[name] !== undefined)
  return [
    `Trivium is listening on ${url}`,
    '',
    ...served.map(([name, line]) => `  ${name.padEnd(11)}${line}`),
    `  ${'data'.padEnd(11)}${resolve(settings.TRIVIUM_DATA_DIR)}`,
    `  ${'admin'.padEnd(11)}user admin, password ${adminLine(admin)}`,
    `  ${'pages'.padEnd(11)}${url}${pages.join('  ')}`,
    '',
    'To try it, paste these lines into another terminal. Ctrl+C here stops the server.',
    '',
    `  ADMIN="admin:${passwordInShell(admin)}"`,
    ...pasted.flatMap(([, lines]) => ['', ...lines.map((line) => `  ${line}`)]),
    '',
  ].join('\n')
}

function pasteLines({ url, firstModel }: Running): Readonly<Record<string, readonly string[]>> {
  const curl = url.startsWith('https:') ? 'curl -sk' : 'curl -s'
  const asAdmin = `${curl} -u "$ADMIN"`
  const asUser = `${curl} -H "authorization: Bearer $KEY"`
  const model = firstModel ?? '\'"$MODEL"\''
  return {
    gateway: [
      `KEY=$(${asAdmin} ${url}/v1/auth/generate-key -d '{"username":"me"}' | ${fieldOf('api_key')})`,
      `${asUser} ${url}/v1/models; echo`,
      ...(firstModel === undefined ? [`MODEL=$(${asUser} ${url}/v1/models | ${FIRST_CHAT_MODEL})`] : []),
      `${asUser} -N ${url}/v1/chat/completions -d '{"model":"${model}","stream":true,"messages":[{"role":"user","content":"Hello"}]}'`,
    ],
    emulation: [
      `LAB=${url}/v1/projects/$(${asAdmin} -X POST ${url}/v1/projects -d '{}' | ${fieldOf('project_id')})`,
      `PC=$(${asAdmin} $LAB/emu3/vms -d '{"name":"PC1","startup_script":"ip 10.0.0.1/24"}' | ${fieldOf('vm_id')})`,
      `${asAdmin} -f -X POST $LAB/emu3/vms/$PC/start && echo started`,
      `${asAdmin} $LAB/emu3/vms/$PC; echo`,
    ],
    storage: [`${asAdmin} '${url}/api/storage/volumes?fields=*'; echo`],
  }
}

/** Extracts a text field of JSON with `sed`, which every system has. */
const fieldOf = (field: string) => `sed 's/.*"${field}":"\\([^"]*\\)".*/\\1/'`

/** Extracts the id of the first model with `dialects`, which only models of conversations have. */
const FIRST_CHAT_MODEL = `tr '{' '\\n' | sed -n '/^"id":/h;/"dialects":/{g;s/^"id":"\\([^"]*\\)".*/\\1/p;q;}'`

function passwordInShell({ file, setting }: Running['admin']): string {
  if (setting && setting.variable === undefined)
    return `\${TRIVIUM_ADMIN_PASSWORD:?has to be the trivium_admin_password of the configuration file}`
  if (file === undefined) return `\${${setting?.variable ?? 'TRIVIUM_ADMIN_PASSWORD'}:?is not set}`
  return `$(cat '${resolve(file).replaceAll("'", `'\\''`)}')`
}

function adminLine(admin: Running['admin']): string {
  const { password, isNew, file } = admin
  if (isNew) return `${password} (shown once, stored in ${file})`
  return file === undefined ? `as set in ${placeOfPassword(admin)}` : `as stored in ${file}`
}
