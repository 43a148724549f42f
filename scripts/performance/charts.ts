import { type Bar, barChart } from './bar-chart.ts'
import type { Reports } from './reports.ts'

const whole = (value: number) => value.toFixed(0)
const thousands = (value: number) => `${Math.round(value / 1000)}k`

function kindOf(name: string): Bar['of'] {
  if (name.startsWith('bare') || name.startsWith('C,')) return 'floor'
  return name.startsWith('@') || ['vde_switch', 'Linux bridge'].includes(name) ? 'peer' : 'ours'
}

/** Draws all charts. @returns the SVG of each by the name of its file */
export const drawCharts = ({
  gateway,
  transports,
  storage,
  emulation,
  switch: frames,
}: Reports): ReadonlyMap<string, string> =>
  new Map([
    ...['whole', 'stream of 20, 5 ms apart'].map((load, index): [string, string] => [
      index === 0 ? 'gateway-whole' : 'gateway-stream',
      barChart({
        title: `Gateway, ${index === 0 ? 'whole answers' : 'streams of 20 tokens, 5 ms apart'}: CPU time per request, µs`,
        bars: gateway.results.started
          .filter((result) => result.load === load)
          .flatMap(({ contestant, cpu }) =>
            cpu === undefined ? [] : [{ label: contestant, ...bounds(cpu), of: kindOf(contestant) }],
          ),
        format: whole,
      }),
    ]),
    [
      'transports',
      barChart({
        title: 'Route contract: CPU time relative to the same routes by hand',
        bars: transports.results.flatMap((result) =>
          result.ofByHand === undefined
            ? []
            : [
                {
                  label: `${result.server.replace('contract-on-', '')}, ${result.case}`,
                  ...bounds(result.ofByHand),
                  of: 'ours',
                },
              ],
        ),
        marks: [
          { label: 'by hand', value: 1 },
          { label: 'bar for Fastify', value: 1.25 },
        ],
        format: (value) => `${value.toFixed(2)}×`,
      }),
    ],
    [
      'storage',
      barChart({
        title: 'A page of 1,000 of 200,000 quota rules: p95 in ms, from request to last byte',
        bars: storage.results.requests
          .filter(({ request }) => request === 'first page' || request === 'later page')
          .map(({ store, server, request, p95 }) => ({
            label: `${store}, ${server === 'bare' ? 'bare, ' : ''}${request}`,
            value: p95,
            of: server === 'bare' ? 'floor' : 'ours',
          })),
        marks: [{ label: 'bar', value: 15 }],
        format: (value) => value.toFixed(1),
      }),
    ],
    [
      'emulation',
      barChart({
        title: 'Virtual PCs over HTTP: p50 in ms by the instances of the project',
        bars: (['create', 'read', 'update'] as const).flatMap((operation) =>
          emulation.results.operations
            .filter((result) => result.operation === operation)
            .map(({ server, instances, p50Ms }) => ({
              label: `${operation}, ${server === 'bare' ? 'bare, ' : ''}${instances}`,
              value: p50Ms,
              of: server === 'bare' ? 'floor' : 'ours',
            })),
        ),
        format: (value) => value.toFixed(2),
      }),
    ],
    [
      'switch',
      barChart({
        title: 'Ethernet switch: frames of 64 B a second on one core',
        bars: frames.results.rows
          .filter(({ bytes }) => bytes === 64)
          .map(({ forwarder, framesPerSecond }) => ({
            label: forwarder,
            ...bounds(framesPerSecond),
            of: kindOf(forwarder),
          })),
        marks: [
          { label: 'dynamips', value: 174_000 },
          { label: 'ubridge', value: 271_000 },
        ],
        format: thousands,
      }),
    ],
  ])

const bounds = ({
  median,
  least,
  most,
}: {
  readonly median: number
  readonly least: number
  readonly most: number
}) => ({
  value: median,
  least,
  most,
})
