import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Makes a certificate for `localhost` in the directory; returns the flags with which the server uses it. */
export async function selfSigned(directory: string): Promise<readonly string[]> {
  const [certificate, key] = [join(directory, 'certificate.pem'), join(directory, 'key.pem')]
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
    ...['-keyout', key, '-out', certificate, '-subj', '/CN=localhost', '-days', '2'],
  ])
  return ['--tls-cert', certificate, '--tls-key', key]
}
