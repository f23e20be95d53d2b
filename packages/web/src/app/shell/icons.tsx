/** Icons of the workspace: a grid of 20, one stroke, round ends. */
const shapes = {
  home: 'M3 9.2 10 3l7 6.2M5 8v9h10V8',
  transactions: 'M4 6.5h11.5M12.5 3.5l3 3-3 3M16 13.5H4.5M7.5 10.5l-3 3 3 3',
  assets:
    'M4 5.2c0-1.3 2.7-2.4 6-2.4s6 1.1 6 2.4-2.7 2.4-6 2.4-6-1.1-6-2.4zM4 5.2v4.6c0 1.3 2.7 2.4 6 2.4s6-1.1 6-2.4V5.2M4 9.8v4.8C4 15.9 6.7 17 10 17s6-1.1 6-2.4V9.8',
  messages: 'M3.5 4.5h13v9h-7l-3.5 3v-3H3.500zM6.5 9.200h7',
  book: 'M5 3.5h10.5v13H5A1.5 1.5 0 0 1 3.5 15V5A1.5 1.5 0 0 1 5 3.500zM7 3.500v13M10 7.500h3',
  team: 'M10.2 7a2.7 2.7 0 1 1-5.4 0 2.7 2.7 0 0 1 5.4 0zM2.5 16c.4-2.8 2.3-4.3 5-4.300s4.6 1.5 5 4.300M13 4.600a2.6 2.6 0 0 1 0 4.900M14.5 12.200c1.7.5 2.7 1.8 3 3.8',
  settings: 'M3 6h8M15 6h2M3 14h2M9 14h8M15 6a2 2 0 1 1-4 0 2 2 0 0 1 4 0zM9 14a2 2 0 1 1-4 0 2 2 0 0 1 4 0z',
  activity: 'M6.5 4.500h10M6.5 10h10M6.5 15.500h10M3.3 4.500v.01M3.3 10v.01M3.3 15.500v.01',
  new: 'M10 4v12M4 10h12',
  search: 'M13.5 9a4.500 4.500 0 1 1-9 0 4.500 4.500 0 0 1 9 0zM12.500 12.500 16 16',
  more: 'M4.5 10v.01M10 10v.01M15.5 10v.01',
  safes: 'M3.5 3.500h5v5h-5zM11.5 3.500h5v5h-5zM3.5 11.500h5v5h-5zM14 11.500v5M11.5 14h5',
  chains: 'M8.5 11.500l3-3M9 6.500l2-2a3.2 3.2 0 0 1 4.5 4.500l-2 2M11 13.500l-2 2A3.2 3.2 0 0 1 4.5 11l2-2',
  account: 'M13 6.500a3 3 0 1 1-6 0 3 3 0 0 1 6 0zM4 17c.5-3.5 2.8-5 6-5s5.5 1.5 6 5',
  switch: 'm6.5 7.5 3.5-3.5 3.5 3.500M6.5 12.500l3.5 3.5 3.5-3.5',
} as const

export type IconName = keyof typeof shapes

/** Names of all of them, for the page that shows them. */
export const iconNames = Object.keys(shapes) as IconName[]

export function Icon({ of, size = 18 }: { of: IconName; size?: number }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth={of === 'more' || of === 'activity' ? 2 : 1.6}
      strokeLinecap="round"
      strokeLinejoin="round"
      className="shrink-0"
    >
      <path d={shapes[of]} />
    </svg>
  )
}
