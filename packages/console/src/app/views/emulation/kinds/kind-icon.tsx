import type { Choice } from './kinds.ts'

/** Shows the icon of a choice in the colour of the text. */
export const KindIcon = ({ kind }: { readonly kind: Choice }) => (
  <svg className="kind-icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={shapes[kind]} />
  </svg>
)

const shapes: Readonly<Record<Choice, string>> = {
  emu1: 'M6 3h12v18H6zM9 7h6M9 10h6M12 17h.01',
  emu2: 'M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18M12 6.5v4m0-4l-1.6 1.6M12 6.5l1.6 1.6M12 17.5v-4m0 4l-1.6-1.6m1.6 1.6l1.6-1.6M5.8 12h4m0 0L8.2 10.400m1.600 1.600L8.200 13.600M18.200 12h-4m0 0l1.600-1.600M14.200 12l1.600 1.600',
  emu3: 'M3 4h18v12H3zM9 20h6M12 16v4',
  emu4: 'M12 2.500l8.500 4.750v9.500L12 21.500l-8.500-4.750v-9.500zM3.500 7.250L12 12l8.500-4.750M12 12v9.500',
  nat: 'M3 12a9 9 0 1 0 18 0a9 9 0 1 0 -18 0M3 12h18M12 3c-6 5 -6 13 0 18M12 3c6 5 6 13 0 18',
  cloud: 'M7 18a4 4 0 0 1 0 -8a5 5 0 0 1 9.600 -1.500a4.500 4.500 0 0 1 .900 9.500z',
  container: 'M3 7h18v10H3zM7 7v10M11 7v10M15 7v10M3 20h18',
  emu5: 'M2.500 8h19v8h-19zM6 12h.01M10 12h.01M14 12h.01M18 12h.01',
  hub: 'M2.500 8h19v8h-19zM6 12h12M6 12l2-2M6 12l2 2M18 12l-2-2M18 12l-2 2',
}
