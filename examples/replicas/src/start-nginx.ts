import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ChildProgram, startChild } from './child-program.ts'
import { freePort } from './free-port.ts'
import { nginxConfiguration, type ProxyPlan } from './nginx-configuration.ts'

const ATTEMPTS = 5

export interface Proxy {
  readonly url: string
  readonly ended: ChildProgram['ended']
  /** Stops the proxy after its running answers. */
  stop(): Promise<void>
}

/** Starts Debian's nginx in the foreground, without root's rights and without a file outside the directory. */
export async function startNginx(plan: ProxyPlan): Promise<Proxy> {
  for (let attempt = 1; ; attempt += 1) {
    const port = plan.port === 0 ? await freePort() : plan.port
    try {
      const { ended, signal } = await run({ ...plan, port })
      return {
        url: `http://127.0.0.1:${port}`,
        ended,
        async stop() {
          signal('SIGQUIT')
          await ended
        },
      }
    } catch (error) {
      // Another process can have taken the port since it was free.
      if (plan.port !== 0 || attempt === ATTEMPTS || !/Address already in use/.test(String(error))) throw error
    }
  }
}

function run(plan: ProxyPlan): Promise<ChildProgram> {
  mkdirSync(plan.directory, { recursive: true })
  const file = join(plan.directory, 'nginx.conf')
  writeFileSync(file, nginxConfiguration(plan))
  return startChild({
    program: 'nginx',
    args: ['-p', plan.directory, '-e', 'stderr', '-c', file],
    environment: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
    ready: /start worker process \d+$/,
    onError: (line) => {
      if (/\[(warn|error|crit|alert|emerg)\]/.test(line)) console.error(line)
    },
  })
}
