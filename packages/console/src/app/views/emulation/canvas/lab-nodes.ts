import type { Edge, Node } from '@xyflow/react'
import { choiceOf, type Instance, type InstanceState } from '../kinds/instance.ts'
import { kindLabels } from '../kinds/kinds.ts'
import { type Port, portKey, portsOf } from '../kinds/ports.ts'
import { cabledPorts, type Lab, type Selection } from '../lab/use-lab.ts'
import { impairmentSummary } from '../links/impairment.ts'
import { type Link, linkName, outsideName } from '../links/link.ts'
import type { PlaceableNode, Positions } from './positions.ts'

/** The node of an instance, with its ports. */
export type InstanceNode = Node<
  {
    readonly instance: Instance
    readonly state: InstanceState | undefined
    readonly ports: readonly (Port & { readonly isCabled: boolean })[]
  },
  'instance'
>

/** The node at the other side of a link that leaves the project. */
export type OutsideNode = Node<{ readonly name: string }, 'outside'>

export type LabNode = InstanceNode | OutsideNode

export type CableEdge = Edge<
  { readonly summary: string; readonly isDown: boolean; readonly isCaptured: boolean },
  'cable'
>

/** The only port of an `OutsideNode`. */
export const OUTSIDE_PORT = 'outside'

/** Returns all nodes of a lab for `placeAll`. */
export const nodesToPlace = (lab: Lab): readonly PlaceableNode[] => [
  ...lab.instances.map((instance) => ({
    id: instance.id,
    isHub: instance.kind === 'emu5',
    ports: portsOf(
      instance,
      cabledPorts(lab, instance.id).map(({ port }) => port),
    ).length,
  })),
  ...lab.links.filter(({ ends }) => ends.length === 1).map(({ link_id }) => ({ id: link_id, isHub: true, ports: 0 })),
]

/** Creates the nodes of the canvas. A node without a position is at the origin. */
export function labNodes(lab: Lab, positions: Positions, selection: Selection | undefined): readonly LabNode[] {
  const at = (id: string) => positions[id] ?? { x: 0, y: 0 }
  const fixed = new Set(lab.places.filter(({ locked }) => locked).map(({ node_id }) => node_id))
  return [
    ...lab.instances.map((instance): InstanceNode => {
      const { id, name } = instance
      const cabled = cabledPorts(lab, id)
      const cabledKeys = new Set(cabled.map(portKey))
      const ports = portsOf(
        instance,
        cabled.map(({ port }) => port),
      )
      const state = lab.states.get(id)
      return {
        id,
        type: 'instance',
        position: at(id),
        draggable: !lab.isLocked && !fixed.has(id),
        selected: selection?.type === 'instance' && selection.id === id,
        ariaLabel: `${kindLabels[choiceOf(instance)].name} ${name}${state === undefined ? '' : `, ${state}`}`,
        data: { instance, state, ports: ports.map((port) => ({ ...port, isCabled: cabledKeys.has(portKey(port)) })) },
      }
    }),
    ...lab.links.flatMap(({ link_id, ends: [first, second] }): readonly OutsideNode[] => {
      if (!first || second) return []
      const name = outsideName(first)
      return [
        {
          id: link_id,
          type: 'outside',
          position: at(link_id),
          selectable: false,
          ariaLabel: `Outside: ${name}`,
          data: { name },
        },
      ]
    }),
  ]
}

/** Creates the edges of the canvas: one for each link. */
export const labEdges = ({ links }: Lab, selection: Selection | undefined): readonly CableEdge[] =>
  links.flatMap((link) => edgeOf(link, selection?.type === 'link' && selection.id === link.link_id))

function edgeOf(link: Link, selected: boolean): readonly CableEdge[] {
  const [first, second] = link.ends
  if (!first) return []
  const key = (end: typeof first) => portKey({ adapter: end.adapter_number, port: end.port_number })
  return [
    {
      id: link.link_id,
      type: 'cable',
      source: first.id,
      sourceHandle: key(first),
      target: second?.id ?? link.link_id,
      targetHandle: second ? key(second) : OUTSIDE_PORT,
      selected,
      ariaLabel: `Cable ${linkName(link)}`,
      data: {
        summary: impairmentSummary(link),
        isDown: link.ends.some(({ link_up }) => !link_up),
        isCaptured: link.ends.some(({ capture }) => capture !== null),
      },
    },
  ]
}
