import { execFile } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ADMIN_PASSWORD, type ServerProcess, startServer } from '../server-process.ts'

const run = promisify(execFile)

export interface TaskResult {
  readonly changed?: boolean
  readonly failed?: boolean
  readonly msg?: string
  readonly response?: { readonly num_records?: number; readonly records?: readonly Readonly<Record<string, unknown>>[] }
  readonly ontap_info?: Readonly<Record<string, { readonly num_records: number }>>
  /** The results of a loop, in its order. */
  readonly results?: readonly (TaskResult & { readonly item: unknown })[]
}

interface PlaybookOutput {
  readonly plays: readonly {
    readonly tasks: readonly {
      readonly task: { readonly name: string }
      readonly hosts: { readonly localhost: TaskResult }
    }[]
  }[]
  readonly stats: Readonly<Record<string, Readonly<Record<string, number>>>>
}

export interface OpenAnsible {
  readonly server: ServerProcess
  /** The home directory of Ansible. */
  readonly directory: string
  /** Runs a playbook. A failed task ends the play, and the output names it. */
  readonly play: (playbook: string) => Promise<PlaybookOutput>
}

/** Starts a server with a certificate, for NetApp's unmodified collection. */
export async function openAnsible(): Promise<OpenAnsible> {
  const directory = mkdtempSync(join(tmpdir(), 'trivium-tls-'))
  const [key, certificate] = [join(directory, 'key.pem'), join(directory, 'cert.pem')]
  await run('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'],
    ...['-keyout', key, '-out', certificate],
  ])
  const server = await startServer({ args: ['--tls-cert', certificate, '--tls-key', key] })
  const { hostname, port } = new URL(server.url)
  const variables = JSON.stringify({ host: hostname, port: Number(port), password: ADMIN_PASSWORD })
  const environment = {
    PATH: process.env.PATH,
    HOME: directory,
    LC_ALL: 'C.UTF-8',
    PYTHONWARNINGS: 'ignore',
    ANSIBLE_STDOUT_CALLBACK: 'json',
    ANSIBLE_LOCALHOST_WARNING: 'False',
    ANSIBLE_PYTHON_INTERPRETER: '/usr/bin/python3',
  }
  return {
    server,
    directory,
    play: async (playbook) => {
      const options = { maxBuffer: 2 ** 26, env: environment }
      const command = run('ansible-playbook', ['-i', 'localhost,', '-e', variables, playbook], options)
      const { stdout } = await command.catch((error: unknown) => {
        if (error instanceof Error && 'stdout' in error) return { stdout: String(error.stdout) }
        throw error
      })
      return JSON.parse(stdout.slice(stdout.indexOf('{')))
    },
  }
}

/** The results of a play by the names of its tasks. */
export const resultsOf = ({ plays }: PlaybookOutput): ReadonlyMap<string, TaskResult> =>
  new Map(plays.flatMap(({ tasks }) => tasks.map(({ task, hosts }) => [task.name, hosts.localhost])))
